__attribute__((reqd_work_group_size(2, 1, 1)))
kernel void k(global int* restrict a __attribute__((aligned(4))), const volatile uint n) { a[get_global_id(0)] = n; }
