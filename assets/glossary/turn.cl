// Each takes its neighbour's number and puts it into
// its own cell, which another one may still have to read.
kernel void turn(global int* data)
{
    const uint id = get_global_id(0);
    const uint next = (id + 1) % get_global_size(0);

    const int taken = data[next];
    data[id] = taken;
}
