/* title:    A chunk each, then a tree
 * chapter:  A 5
 * origin:   document A, its fix: 1024 elements by 256 work-items
 * teaches:  One group can wait for itself. So each of its work-items first adds up a chunk alone,
 *           and a tree with barriers joins the chunks.
 * entry:    reduce
 * plan:     once
 * args:     data: T[n] = input, n: ulong = n
 * global:   group
 * local:    group
 * result:   data
 * depth:    div_up(n, group) + log2(group)
 * expect:   correct
 */
kernel void reduce(global T* data, const ulong n)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong chunk = (n + L - 1) / L;
    const ulong first = lid * chunk;
    const ulong end = min(first + chunk, n);

    T sum = IDENTITY;
    for (ulong i = first; i < end; ++i)
        sum = COMBINE(sum, data[i]);
    if (first < n)
        data[first] = sum;
    barrier(CLK_GLOBAL_MEM_FENCE);

    for (uint span = 2; span / 2 < L; span *= 2) {
        const ulong other = first + span / 2 * chunk;
        if (lid % span == 0 && other < n)
            data[first] = COMBINE(data[first],
                                  data[other]);
        // One group only, so this is enough.
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
