#ifdef __NV_CL_C_VERSION
#define LAB_FENCE() asm volatile("membar.gl;" ::: "memory")
#else
#define LAB_FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)
#endif
__attribute__((always_inline))
uint lab_ticket(volatile global uint* lab_trace, uint lab_count)
{
    LAB_FENCE();
    const uint lab_begin = atomic_add(lab_trace, lab_count);
    LAB_FENCE();
    return lab_begin;
}
__attribute__((always_inline))
uint lab_until(volatile global uint* lab_trace)
{
    LAB_FENCE();
    const uint lab_end = atomic_add(lab_trace, 0u);
    LAB_FENCE();
    return lab_end;
}
__attribute__((always_inline))
void lab_note(volatile global uint* lab_trace, uint lab_number, uint lab_end, uint lab_site,
              ulong lab_address, ulong lab_before, ulong lab_after)
{
    if (lab_number >= lab_trace[1])
        return;
    volatile global uint* lab_to = lab_trace + lab_trace[3] + lab_number * 9u;
    lab_to[0] = lab_end;
    lab_to[1] = lab_item();
    lab_to[2] = lab_site;
    lab_to[3] = (uint)lab_address;
    lab_to[4] = (uint)(lab_address >> 32);
    lab_to[5] = (uint)lab_before;
    lab_to[6] = (uint)(lab_before >> 32);
    lab_to[7] = (uint)lab_after;
    lab_to[8] = (uint)(lab_after >> 32);
}
__attribute__((always_inline))
void lab_base(volatile global uint* lab_trace, uint lab_number, ulong lab_address)
{
    lab_trace[4 + 2 * lab_number] = (uint)lab_address;
    lab_trace[5 + 2 * lab_number] = (uint)(lab_address >> 32);
}
