// All write one cell; who is last has the last word.
kernel void last_word(global int* place)
{
    place[0] = get_global_id(0);
}
