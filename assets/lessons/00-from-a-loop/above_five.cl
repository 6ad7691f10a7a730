// Where is a number above 5?
kernel void find(global const int* in,
                 global int* place)
{
    const int i = get_global_id(0);

    if (in[i] > 5)
        place[0] = i;
}
