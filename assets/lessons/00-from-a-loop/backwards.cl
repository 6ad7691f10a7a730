// Each item puts a number into buf and takes one out.
kernel void back(global const int* in,
                 global int* out,
                 local int* buf)
{
    const int i = get_global_id(0);
    const int lid = get_local_id(0);
    const int L = get_local_size(0);

    buf[lid] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = buf[L - 1 - lid];
}
