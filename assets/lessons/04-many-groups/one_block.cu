/* title:    One block, growing stride
 * chapter:  B 1
 * origin:   document B, its first kernel
 * teaches:  Two elements per thread, and as many as two per thread there have to be.
 * entry:    one_block
 * plan:     once
 * args:     data: T[n] = input, total: T[1]
 * global:   group
 * local:    group
 * group:    power_of_two_up(div_up(n, 2))
 * result:   total
 * depth:    log2(2 * group)
 * legal:    n == 2 * group
 * legal:    power_of_two(group)
 * legal:    op == add && floating
 * expect:   correct
 */
__global__ void one_block(float* data, float* total)
{
    int i = 2 * threadIdx.x;
    for (int stride = 1; stride <= blockDim.x; stride *= 2) {
        // All threads, every 2nd, every 4th …
        if (threadIdx.x % stride == 0)
            data[i] += data[i + stride];
        __syncthreads();
    }

    if (threadIdx.x == 0)
        *total = data[0];
}
