/* title:    Many blocks, one atomicAdd each
 * chapter:  B 4
 * origin:   document B, its fourth kernel
 * teaches:  Every block adds its sum to one cell, in the order in which the blocks come.
 * entry:    many_blocks
 * plan:     once
 * args:     in: const T[n] = input, total: T[1] = 0, n: ulong = n
 * global:   div_up(n, 2 * group) * group
 * local:    group
 * group:    BLOCK_DIM
 * result:   total
 * depth:    1 + log2(group) + groups
 * legal:    power_of_two(group)
 * legal:    group <= BLOCK_DIM
 * legal:    op == add && floating
 * toggle:   BLOCK_DIM = 8, 1, 2, 4, 16, 32, 64, 128, 256, 512, 1024
 * expect:   correct
 */
__global__ void many_blocks(float* in, float* total, u_int64_t n)
{
    __shared__ float part[BLOCK_DIM];
    u_int64_t first = 2 * blockDim.x * blockIdx.x;
    u_int64_t i = threadIdx.x;

    if (first + i + blockDim.x < n)
        part[i] = in[first + i]
                + in[first + i + blockDim.x];
    else if (first + i < n)
        part[i] = in[first + i];
    else
        part[i] = 0.0;

    for (int stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        if (i < stride)
            part[i] += part[i + stride];
    }

    if (i == 0)
        atomicAdd(total, part[0]);
}
