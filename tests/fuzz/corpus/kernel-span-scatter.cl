kernel void reduce(global int* data, const uint n)
{
    const uint id = get_global_id(0);

    for (uint span = 2; span / 2 < n; span *= 2) {
        // 64 bits: in 32 the product starts anew
        // at 0 once n exceeds 65536.
        const ulong pos = (ulong)id * span;
        const ulong other = pos + span / 2;
        if (other < n)
            data[pos] = ((data[pos]) + (data[other]));

    }
}
