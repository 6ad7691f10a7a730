kernel void k(global int* a) {
    a[0] = 1 @ 2 $ ` \ "abc
}
