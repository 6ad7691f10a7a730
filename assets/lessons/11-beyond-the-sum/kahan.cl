/* title:    Kahan's sum
 * chapter:  F 11
 * origin:   new
 * teaches:  What rounding takes from one addition goes into the next.
 * entry:    reduce
 * plan:     once
 * args:     in: const T[n] = input, n: uint = n, out: T[2] = 0
 * global:   1
 * local:    1
 * result:   out
 * depth:    3
 * group:    1
 * legal:    group == 1 && op == add
 * expect:   correct
 */
kernel void reduce(global const T* in, const uint n,
                   global T* out)
{
    T sum = 0;
    T lost = 0;  // by the additions so far

    for (uint i = 0; i < n; ++i) {
        const T x = in[i] + lost;
        const T next = sum + x;
        lost = x - (next - sum);
        sum = next;
        out[0] = sum;
        out[1] = lost;
    }
}
