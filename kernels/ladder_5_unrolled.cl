/* title:    Step 5: last warp unrolled
 * chapter:  E 5
 * origin:   document E, improvement 5, which was wrong there
 * teaches:  The last 32 work-items need no barrier only if they run in lockstep. OpenCL promises no
 *           such thing: without it the sum may be wrong.
 * after:    ladder-4-first-add
 * gain:     gpu 1.4, cpu 1.0 when SYNC=barrier
 * why:      In the last six passes the loop's own counting goes, four of eight instructions per
 *           warp: 480 per group instead of 670. All barriers stay, as they must without lockstep.
 *           A CPU still takes a turn for every item in every pass.
 * entry:    reduce
 * plan:     partials
 * args:     in: const T[n] = values, n: ulong = n, out: T[groups], buf: local T[group]
 * global:   div_up(n, 2 * group) * group
 * local:    group
 * result:   out
 * depth:    1 + log2(group)
 * group:    256
 * legal:    power_of_two(group) && group >= 64
 * toggle:   SYNC = none, barrier
 * expect:   races when SYNC=none
 */
#if SYNC
// Each step waits, and only s items take it.
#define STEP(s) \
    if (lid < s) \
        buf[lid] = COMBINE(buf[lid], \
                           buf[lid + s]); \
    barrier(CLK_LOCAL_MEM_FENCE);
#else
// All 32 read, then all 32 write: only in lockstep.
#define STEP(s) \
    if (lid < 32) \
        buf[lid] = COMBINE(buf[lid], buf[lid + s]);
#endif

kernel void reduce(global const T* in, const ulong n,
                   global T* out, 
                   volatile local T* buf)
{
    const uint lid = get_local_id(0);
    const uint L = get_local_size(0);
    const ulong i = get_group_id(0) * 2UL * L + lid;

    T sum = i < n ? in[i] : IDENTITY;
    if (i + L < n)
        sum = COMBINE(sum, in[i + L]);
    buf[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint s = L / 2; s > 32; s /= 2) {
        if (lid < s)
            buf[lid] = COMBINE(buf[lid],
                               buf[lid + s]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    STEP(32) STEP(16) STEP(8) STEP(4) STEP(2) STEP(1)

    if (lid == 0)
        out[get_group_id(0)] = buf[0];
}
