kernel void f(global int* a, local int* t) {
    event_t e[2];
    e[0] = async_work_group_copy(t, a, 4, 0);
    e[1] = async_work_group_strided_copy(t + 4, a, 2, 2, e[0]);
    wait_group_events(2, e);
    a[get_global_id(0)] = t[get_local_id(0)];
}
