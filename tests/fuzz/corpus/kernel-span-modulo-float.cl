kernel void reduce(global float* data, const uint n)
{
    const uint id = get_global_id(0);

    for (uint span = 2; span / 2 < n; span *= 2) {
        const uint other = id + span / 2;
        if (id % span == 0 && other < n)
            data[id] = fmax((data[id]), (data[other]));

    }
}
