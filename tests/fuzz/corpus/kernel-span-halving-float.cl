kernel void reduce(global float* data, const uint n)
{
    const uint id = get_global_id(0);
    uint cells = n;  // that still hold a part

    for (uint span = 2; span / 2 < n; span *= 2) {
        // A pair for each active item; an odd cell
        // at the end waits for the next pass.
        if (id < cells / 2) {
            const uint pos = id * span;
            const uint other = pos + span / 2;
            data[pos] = fmax((data[pos]), (data[other]));

        }
        cells = (cells + 1) / 2;
    }
}
