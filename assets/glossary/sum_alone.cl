// Each adds four numbers in a variable of its own.
kernel void sum_alone(global const int* in,
                      global int* out)
{
    const uint id = get_global_id(0);

    int sum = 0;
    for (uint k = 0; k < 4; ++k)
        sum += in[4 * id + k];
    out[id] = sum;
}
