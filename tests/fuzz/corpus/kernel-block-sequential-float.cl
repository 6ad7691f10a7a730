kernel void reduce(global float* data, const uint n)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    for (uint stride = L; stride > 0; stride /= 2) {
        // The first half, the first quarter …
        if (lid < stride && lid + stride < n)
            data[lid] = fmax((data[lid]), (data[lid + stride]));

        barrier(2);
    }
}
