void f0(global int* a) { for (int i = 0; i < 2; ++i) { int x; a[i] = 1; } }
void f1(global int* a) { f0(a); f0(a); }
void f2(global int* a) { f1(a); f1(a); }
void f3(global int* a) { f2(a); f2(a); }
void f4(global int* a) { f3(a); f3(a); }
void f5(global int* a) { f4(a); f4(a); }
void f6(global int* a) { f5(a); f5(a); }
void f7(global int* a) { f6(a); f6(a); }
void f8(global int* a) { f7(a); f7(a); }
void f9(global int* a) { f8(a); f8(a); }
void f10(global int* a) { f9(a); f9(a); }
void f11(global int* a) { f10(a); f10(a); }
void f12(global int* a) { f11(a); f11(a); }
void f13(global int* a) { f12(a); f12(a); }
kernel void k(global int* a) { f13(a); }
