/* title:    Tree in local memory
 * chapter:  C 2
 * origin:   document C, the tree
 * teaches:  A group reduces its share in fast local memory; each barrier keeps one pass from
 *           reading what another has not written yet, or overwriting what it still reads.
 * after:    local-master
 * gain:     gpu 4.0, cpu 0.7
 * why:      The master adds 256 cells alone while the other lanes idle, some 850 instructions for
 *           256 elements; the tree takes 800 for 1024, since each item loads four. On a CPU no
 *           item idles: the master's way is 2 turns per element, the tree's is 3.
 * entry:    reduce
 * plan:     partials
 * args:     in: const T[n] = values, n: ulong = n, out: T[groups], buf: local T[group]
 * global:   div_up(n, group * ITEMS) * group
 * local:    group
 * result:   out
 * depth:    ITEMS + log2(group)
 * legal:    power_of_two(group)
 * legal:    group * ITEMS > 1
 * toggle:   ITEMS = 4, 1, 2, 8, 16
 * toggle:   BARRIER_LOAD = on, off
 * toggle:   BARRIER_LOOP = on, off
 * expect:   races when BARRIER_LOAD=off or BARRIER_LOOP=off
 */
kernel void reduce(global const T* in, const ulong n,
                   global T* out, local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);

    // ITEMS elements each, a global size apart:
    // neighbours read neighbours.
    T sum = IDENTITY;
    ulong i = get_global_id(0);
    for (uint k = 0; k < ITEMS; ++k) {
        if (i < n)
            sum = COMBINE(sum, in[i]);
        i += get_global_size(0);
    }
    buf[lid] = sum;
#if BARRIER_LOAD
    barrier(CLK_LOCAL_MEM_FENCE);
#endif

    for (uint width = L / 2; width > 0; width /= 2) {
        if (lid < width) {
            const T other = buf[lid + width];
            buf[lid] = COMBINE(buf[lid], other);
        }
#if BARRIER_LOOP
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
    }

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
