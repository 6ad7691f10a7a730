/* title:    Pairs
 * chapter:  A 1
 * origin:   new
 * teaches:  T, COMBINE and a toggle are settled before the kernel is compiled.
 * entry:    pairs
 * plan:     once
 * args:     in: const T[n] = input, out: T[n / 2]
 * global:   n / 2
 * local:    group
 * result:   out
 * every:    1
 * depth:    1
 * legal:    n % (2 * group) == 0
 * toggle:   TWICE = off, on
 * expect:   partial
 */
kernel void pairs(global const T* in, global T* out)
{
    const uint i = get_global_id(0);

    T pair = COMBINE(in[2 * i], in[2 * i + 1]);
#if TWICE
    pair = 2 * pair;
#endif
    out[i] = pair;
}
