/* title:    Chunks rounded down
 * chapter:  A 1
 * origin:   document A
 * teaches:  n / L is rounded down, so what is left over belongs to nobody.
 * entry:    reduce
 * plan:     once
 * args:     data: T[n] = input, n: uint = n
 * global:   group
 * local:    group
 * result:   data
 * depth:    div_up(n, group) + log2(group)
 * legal:    power_of_two(group) && group <= n
 * expect:   races
 */
kernel void reduce(global T* data, const uint n)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const uint chunk = n / L;
    const uint first = lid * chunk;

    T sum = data[first];
    for (uint i = 1; i < chunk; ++i)
        sum = COMBINE(sum, data[first + i]);
    data[first] = sum;
    barrier(CLK_GLOBAL_MEM_FENCE);

    for (uint span = 2; span <= L; span *= 2) {
        if (lid % span == 0) {
            const uint other = first + span / 2 * chunk;
            data[first] = COMBINE(data[first],
                                  data[other]);
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
