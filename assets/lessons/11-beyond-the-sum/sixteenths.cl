// Floats as whole sixteenths: those add up exactly.
kernel void reduce(global const float* in,
                   global int* total, local int* buf)
{
    const uint lid = get_local_id(0);

    buf[lid] = (int)(in[get_global_id(0)] * 16);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
        if (lid < s)
            buf[lid] += buf[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }

    if (lid == 0)
        atomic_add(total, buf[0]);
}
