/* title:    One loop
 * chapter:  B 0
 * origin:   document B, its loop on the CPU
 * teaches:  What all speed-ups are measured against: one after another.
 * entry:    one_loop
 * plan:     once
 * args:     in: const T[n] = input, total: T[1], n: ulong = n
 * global:   group
 * local:    group
 * group:    1
 * result:   total
 * depth:    n
 * legal:    group == 1
 * legal:    op == add && floating
 * expect:   correct
 */
__host__ __device__ float sum_of(const float* in, u_int64_t n)
{
    float sum = 0.0f;
    for (u_int64_t i = 0; i < n; ++i)
        sum += in[i];
    return sum;
}

// As a kernel, it is one thread.
__global__ void one_loop(const float* in, float* total, u_int64_t n)
{
    *total = sum_of(in, n);
}
