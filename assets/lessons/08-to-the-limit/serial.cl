/* title:    One work-item, left to right
 * chapter:  F 1
 * origin:   new
 * teaches:  A sum taken one after another stops growing as soon as it is too large for the next
 *           number to count.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: ulong = n, out: T[1]
 * global:   1
 * local:    1
 * result:   out
 * depth:    n
 * group:    1
 * legal:    group == 1
 * expect:   correct
 */
kernel void reduce(global const T* in, const ulong n,
                   global T* out)
{
    T sum = IDENTITY;
    for (ulong i = 0; i < n; ++i)
        sum = COMBINE(sum, in[i]);
    out[0] = sum;
}
