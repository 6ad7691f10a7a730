/* title:    On the desk
 * chapter:  F 12
 * origin:   new
 * teaches:  Barrier, fence, atomic and volatile are four tools for four things.
 * entry:    add
 * plan:     once
 * args:     in: const T[n] = input, out: T[1], desk: T[n] = 0
 * global:   n
 * local:    n
 * result:   out
 * depth:    1
 * legal:    n == 2
 * toggle:   WITH = volatile, fence, atomic, barrier
 * expect:   races when WITH!=barrier
 */
#if WITH == 1  // volatile
#define DESK volatile global T*
#else
#define DESK global T*
#endif

kernel void add(global const T* in, global T* out,
                DESK desk)
{
    const uint lid = get_local_id(0);

#if WITH == 3  // atomic
    atomic_xchg(&desk[lid], in[lid]);
#else
    desk[lid] = in[lid];
#endif

#if WITH == 2  // fence
    mem_fence(CLK_GLOBAL_MEM_FENCE);
#elif WITH == 4  // barrier
    barrier(CLK_GLOBAL_MEM_FENCE);
#endif

    if (lid == 0) {
#if WITH == 3  // atomic
        const T other = atomic_or(&desk[1], 0);
#else
        const T other = desk[1];
#endif
        out[0] = COMBINE(in[0], other);
    }
}
