constant half4 c = {1.5h, -0.0h, 65504.0h, 0x1p-24h};
kernel void k(global half* a, global half3* b, half n) {
  half4 v = c * n; v.xz += vload2(0, a); v[3]--; b[get_global_id(0)] = fma(v, v, c).xyz;
  a[0] = dot(v, c) > n ? as_half((short)-1) : convert_half_rtz(v.w / 0); atomic_add((global int*)a, 1);
  printf("%v4f %s %5.2s", v, n > 1 ? "one" : "other", "x"[0] ? "y" : "z");
}
