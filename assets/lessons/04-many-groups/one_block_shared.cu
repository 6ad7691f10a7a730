/* title:    One block, shared memory
 * chapter:  B 3
 * origin:   document B, its third kernel
 * teaches:  Each element is read once; the passes after the first are in shared memory.
 * entry:    one_block_shared
 * plan:     once
 * args:     in: const T[n] = input, total: T[1]
 * global:   group
 * local:    group
 * group:    BLOCK_DIM
 * result:   total
 * depth:    log2(2 * group)
 * legal:    n == 2 * group
 * legal:    power_of_two(group)
 * legal:    group <= BLOCK_DIM
 * legal:    op == add && floating
 * toggle:   BLOCK_DIM = 8, 1, 2, 4, 16, 32, 64, 128, 256, 512, 1024
 * expect:   correct
 */
__global__ void one_block_shared(float* in, float* total)
{
    __shared__ float part[BLOCK_DIM];
    int i = threadIdx.x;
    part[i] = in[i] + in[i + blockDim.x];

    for (int stride = blockDim.x / 2; stride >= 1; stride /= 2) {
        __syncthreads();
        if (threadIdx.x < stride)
            part[i] += part[i + stride];
    }

    if (threadIdx.x == 0)
        *total = part[0];
}
