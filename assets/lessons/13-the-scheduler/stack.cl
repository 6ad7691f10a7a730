/* title:    A stack
 * chapter:  E 9
 * origin:   new
 * teaches:  The head is what it was, and what lies below is not.
 * entry:    stack
 * plan:     once
 * args:     next: T[n] = input, head: uint[1] = 0, taken: uint[n] = 0, twice: T[1] = identity
 * global:   2
 * local:    2
 * result:   twice
 * depth:    n
 * expect:   races
 */
// Takes the top one.
uint pop(global T* next, global uint* head)
{
    while (true) {
        const uint top = head[0];
        const uint below = next[top];
        if (atomic_cmpxchg(head, top, below) == top)
            return top;
    }
}

kernel void stack(global T* next, global uint* head,
                  global uint* taken, global T* twice)
{
    const uint a = pop(next, head);
    const uint b = pop(next, head);
    if (atomic_inc(&taken[b]) > 0)
        twice[0] = b;

    // Item 1 puts its first one back.
    if (get_global_id(0) == 1) {
        next[a] = head[0];
        atomic_xchg(head, a);
    }
}
