kernel void k(global float* f, global const int* b) {
    uint i = get_global_id(0);
    float x = b[i] * 0.5f;
    f[i] = fma(x, 2.0f, sqrt(x)) + pow(x, 0.5f) + native_sin(x) + mad(x, x, x) + fmin(x, 1.0f);
    f[i] += ldexp(x, 3) + ilogb(x) + nextafter(x, 2.0f) + rootn(x, 3) + clamp(x, 0.0f, 1.0f);
    float w; f[i] = modf(x, &w) + fract(x, &w) + sincos(x, &w);
    int e; f[i] += frexp(x, &e) + isnan(x) + signbit(-x) + mix(x, w, 0.5f) + smoothstep(0.0f, 1.0f, x);
}
