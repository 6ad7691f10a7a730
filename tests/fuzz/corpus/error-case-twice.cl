kernel void k(global int* a) {
    switch (1) { case 1: case 1: default: default: ; }
}
