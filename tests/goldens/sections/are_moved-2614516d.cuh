// Whether the copy unit moves slabs, which stores rows of whole multiples of 16 bytes; else the
// threads of their warpgroup do.
__device__ __forceinline__ bool are_moved(int cols) {
    return ALIGN_residual == 16 && ALIGN_out == 16 && cols % OUT_VECTOR == 0;
}
