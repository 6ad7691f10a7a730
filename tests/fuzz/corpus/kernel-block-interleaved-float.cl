kernel void reduce(global float* data, const uint n)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const uint i = 2 * lid;

    for (uint stride = 1; stride <= L; stride *= 2) {
        // Every 2nd, every 4th, every 8th item …
        if (lid % stride == 0 && i + stride < n)
            data[i] = fmax((data[i]), (data[i + stride]));

        barrier(2);
    }
}
