/* title:    Two passes by hand
 * chapter:  A 1
 * origin:   document A
 * teaches:  Each pass is an if of its own: the second is missing.
 * entry:    reduce
 * plan:     once
 * args:     data: T[n] = input, n: uint = n
 * global:   round_up(n, group)
 * local:    group
 * result:   data
 * depth:    log2(n)
 * legal:    n == 4
 * expect:   races
 */
kernel void reduce(global T* data, const uint n)
{
    const uint id = get_global_id(0);

    // Pass 1
    if (id % 2 == 0)
        data[id] = COMBINE(data[id], data[id + 1]);
    barrier(CLK_GLOBAL_MEM_FENCE);

    // Pass 2: your turn.
}
