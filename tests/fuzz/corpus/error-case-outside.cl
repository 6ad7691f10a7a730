kernel void k(global int* a) {
    case 1: default: ;
}
