/* title:    From left to right
 * chapter:  F 11
 * origin:   new
 * teaches:  Each addition rounds what all before it left.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: uint = n, out: T[1]
 * global:   1
 * local:    1
 * result:   out
 * depth:    n
 * group:    1
 * legal:    group == 1
 * expect:   correct
 */
kernel void reduce(global const T* in, const uint n,
                   global T* out)
{
    T sum = 0;

    for (uint i = 0; i < n; ++i)
        sum = COMBINE(sum, in[i]);
    out[0] = sum;
}
