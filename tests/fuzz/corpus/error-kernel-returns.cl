kernel int k(int* a, local int b, bool c, size_t d, global int** e) { return 1; }
