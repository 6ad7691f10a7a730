int x = 1; global int y; constant int z;
kernel void k(global int* a) { static int w; local int v = 3; }
