/* title:    The test, and nobody waits
 * chapter:  D 0
 * origin:   document D, its test without a barrier
 * teaches:  Read three, then write one: without a barrier the neighbours see it too early.
 * entry:    rounds
 * plan:     iterate
 * rounds:   ROUNDS
 * args:     cells: T[n] = 1, n: uint = n
 * global:   round_up(n, group)
 * local:    group
 * result:   cells
 * depth:    2 * ROUNDS
 * toggle:   ROUNDS = 1, 2, 8
 * legal:    op == add
 * expect:   races
 */
kernel void rounds(volatile global T* cells,
                   const uint n)
{
    const uint id = get_global_id(0);

    for (uint round = 0; round < ROUNDS; ++round) {
        const T sum = cells[id] +
                      cells[(id + 1) % n] +
                      cells[(id + 2) % n];
        // Here all groups should wait …
        cells[id] = sum;
        // … and here.
    }
}
