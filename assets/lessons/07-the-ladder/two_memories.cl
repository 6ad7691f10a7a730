kernel void look(global const int* in, global int* out,
                 local int* buf)
{
    const uint lid = get_local_id(0);
    for (uint i = lid; i < 64; i += 8)
        buf[i] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);

    int sum = buf[9 * lid];
    sum += in[9 * lid];
    sum += buf[8 * lid];
    sum += buf[0];
    out[lid] = sum;
}
