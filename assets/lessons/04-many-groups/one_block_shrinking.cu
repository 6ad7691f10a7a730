/* title:    One block, shrinking stride
 * chapter:  B 2
 * origin:   document B, its second kernel
 * teaches:  The threads that still add stay side by side.
 * entry:    one_block_shrinking
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
__global__ void one_block_shrinking(float* data, float* total)
{
    int i = threadIdx.x;
    for (int stride = blockDim.x; stride >= 1; stride /= 2) {
        // All threads, the first half, a quarter …
        if (threadIdx.x < stride)
            data[i] += data[i + stride];
        __syncthreads();
    }

    if (threadIdx.x == 0)
        *total = data[0];
}
