// The body of a C loop, without the loop.
kernel void running(global const int* in,
                    global int* out)
{
    const int i = get_global_id(0);
    int sum = 0;

    sum = sum + in[i];
    out[i] = sum;
}
