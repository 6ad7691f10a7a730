kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    double d = as_double(0x7ff0000000000001UL); f[i] = d; a[i] = as_int(as_float(0x7f800001)) + isnormal(d) + isequal(d, d); f[i] = fma(f[i], INFINITY, -INFINITY) + mix(f[i], NAN, f[i]) + smoothstep(1.0f, 1.0f, 1.0f) + step(NAN, 1.0f) + clamp(NAN, 0.0f, 1.0f) + maxmag(NAN, 1.0f) + fmin(NAN, NAN);
}
