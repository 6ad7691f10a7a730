kernel void f(global int* a, local int* t) {
    async_work_group_copy(a, t, a[0], (event_t)a[1]);
}
