kernel void reduce(global int* data, const ulong n)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong chunk = (n + L - 1) / L;
    const ulong first = lid * chunk;
    const ulong end = min(first + chunk, n);

    int sum = ((int)0);
    for (ulong i = first; i < end; ++i)
        sum = ((sum) + (data[i]));
    if (first < n)
        data[first] = sum;
    barrier(2);

    for (uint span = 2; span / 2 < L; span *= 2) {
        const ulong other = first + span / 2 * chunk;
        if (lid % span == 0 && other < n)
            data[first] = ((data[first]) + (data[other]));

        // One group only, so this is enough.
        barrier(2);
    }
}
