kernel void reduce(global float* data, const uint n,
                   const uint span)
{
    const size_t id = get_global_id(0);
    const size_t other = id + span / 2;

    if (id % span == 0 && other < n)
        data[id] = fmax((data[id]), (data[other]));

    // No loop: the host launches this again with
    // span doubled, once every group is done.
}
