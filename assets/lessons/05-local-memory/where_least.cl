// Where is the least number? Every work-item looks at
// one, and whoever holds it writes down the place.
kernel void find(global const int* in,
                 const int least,
                 global int* place)
{
    const int id = get_global_id(0);

    if (in[id] == least)
        *place = id;
}
