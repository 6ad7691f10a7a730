__kernel __attribute__((reqd_work_group_size(-1, 1))) void k(__global int *a) {}
