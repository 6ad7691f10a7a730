kernel void k(global double* d) {
    uint i = get_global_id(0);
    d[i] = exp(d[i]) + tgamma((double)i) + lgamma(0.5) + remainder(5.0, 3.0) + remainder(1.0, 0.0) + fmod(d[i], 0.0);
    d[i] = INFINITY - d[i] + NAN + HUGE_VAL + erf(0.1) + log(0.0) + acos(2.0);
}
