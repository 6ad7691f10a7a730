/* title:    One by one
 * chapter:  F 12
 * origin:   new
 * teaches:  A sum from left to right rounds at every step.
 * entry:    add
 * plan:     once
 * args:     in: const T[n] = input, n: ulong = n, out: T[1]
 * global:   1
 * local:    1
 * result:   out
 * depth:    n
 * expect:   correct
 */
kernel void add(global const T* in, const ulong n,
                global T* out)
{
    T sum = in[0];
    for (ulong i = 1; i < n; ++i)
        sum = COMBINE(sum, in[i]);
    out[0] = sum;
}
