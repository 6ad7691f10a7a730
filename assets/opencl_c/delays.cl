__attribute__((always_inline))
void lab_wait(volatile global uint* lab_trace, uint* lab_noise)
{
    if (lab_noise[1] == 0u)
        return;
    const uint lab_state = lab_noise[0] * 747796405u + 2891336453u;
    lab_noise[0] = lab_state;
    uint lab_random = ((lab_state >> ((lab_state >> 28) + 4u)) ^ lab_state) * 277803737u;
    lab_random ^= lab_random >> 22;
    if ((lab_random & 7u) != 0u)
        return;
    lab_noise[1] -= 1u;
    const uint lab_turns = 1u << ((lab_random >> 3) % 15u);
    uint lab_x = lab_random;
    for (uint lab_i = 0; lab_i < lab_turns; ++lab_i)
        lab_x = lab_x * 1664525u + 1013904223u;
    if (lab_x == lab_random)  // hardly ever, but the loop cannot be left out
        lab_trace[2] = lab_x;
}
__attribute__((always_inline))
uint lab_mixed(uint lab_x)
{
    lab_x = (lab_x ^ (lab_x >> 16)) * 0x85EBCA6Bu;
    lab_x = (lab_x ^ (lab_x >> 13)) * 0xC2B2AE35u;
    return lab_x ^ (lab_x >> 16);
}
