// Each work-item stores its number within its group.
kernel void number(global int* out)
{
    out[get_global_id(0)] = get_local_id(0);
}
