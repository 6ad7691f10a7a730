/* title:    More elements per thread
 * chapter:  B 5
 * origin:   document B, its fifth kernel
 * teaches:  A thread that adds several pairs alone leaves fewer blocks.
 * entry:    many_blocks_coarsened
 * plan:     once
 * args:     in: const T[n] = input, total: T[1] = 0, n: ulong = n
 * global:   div_up(n, 2 * COARSEN_FACTOR * group) * group
 * local:    group
 * group:    BLOCK_DIM
 * result:   total
 * depth:    2 * COARSEN_FACTOR + log2(group) + groups
 * legal:    power_of_two(group)
 * legal:    group <= BLOCK_DIM
 * legal:    op == add && floating
 * toggle:   COARSEN_FACTOR = 2, 1, 4, 8, 16
 * toggle:   BLOCK_DIM = 8, 1, 2, 4, 16, 32, 64, 128, 256, 512, 1024
 * expect:   correct
 */
__global__ void many_blocks_coarsened(float* in, float* total, u_int64_t n)
{
    __shared__ float part[BLOCK_DIM];
    u_int64_t first = COARSEN_FACTOR * 2 * blockDim.x * blockIdx.x;
    u_int64_t i = threadIdx.x;

    // 2 * COARSEN_FACTOR elements: no thread waits for another.
    float sum = 0.0;
    if (first + i < n)
        sum = in[first + i];
    for (int k = 1; k < COARSEN_FACTOR * 2; k++)
        if (first + i + k * blockDim.x < n)
            sum = sum + in[first + i + k * blockDim.x];
    part[i] = sum;

    for (int stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        if (i < stride)
            part[i] += part[i + stride];
    }

    if (i == 0)
        atomicAdd(total, part[0]);
}
