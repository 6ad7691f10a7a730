kernel void k(global int* a, global float* f, local int* t) {
    int i = get_global_id(0);
    a[i] = rotate((char)-128, (char)-1) + add_sat((char)127, (char)1) + mul_hi((short)-32768, (short)-32768) + mad_sat((uchar)255, (uchar)255, (uchar)1) + hadd((uchar)255, (uchar)254) + clz((short)0) + abs_diff((char)-128, (char)127) + upsample((char)-1, (uchar)255) + abs((short)-32768);
}
