/* title:    One cell too far
 * chapter:  A 1
 * origin:   document A
 * teaches:  A limit that lets one item too many through: it reads behind the end.
 * entry:    reduce
 * plan:     once
 * args:     data: T[n] = input, n: uint = n
 * global:   round_up(n / 2, group)
 * local:    group
 * result:   data
 * depth:    log2(n)
 * legal:    power_of_two(n)
 * expect:   races
 */
kernel void reduce(global T* data, const uint n)
{
    const uint id = get_global_id(0);
    uint pairs = n / 2;

    for (uint span = 2; span <= n; span *= 2) {
        if (id > pairs)
            continue;
        pairs /= 2;
        const uint pos = id * span;
        const uint other = pos + span / 2;
        data[pos] = COMBINE(data[pos],
                            data[other]);
    }
}
