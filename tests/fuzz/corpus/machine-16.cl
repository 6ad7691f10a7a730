kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    int e; f[i] = frexp(NAN, &e) + frexp(INFINITY, &e) + frexp(0.0f, &e) + fract(INFINITY, f) + modf(NAN, f + 1) + sinpi(1e30f) + cospi(INFINITY) + tanpi(0.5f) + atan2pi(0.0f, 0.0f) + exp10(1e9f) + fmod(1.0f, INFINITY);
}
