kernel void reduce(global float* data, const uint n)
{
    const uint id = get_global_id(0);

    // The odd ones are idle, and stay so.
    if (id % 2 == 0 && id + 1 < n)
        data[id] = fmax((data[id]), (data[id + 1]));
}
