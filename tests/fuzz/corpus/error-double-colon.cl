kernel void k(global int* a) {
    a::b; new int; template<x>
}
