// Whether the copy unit copies epilogue tiles, which stores rows of whole multiples of 16 bytes;
// else the threads of their warpgroup do.
__device__ __forceinline__ bool are_copied(int cols) {
    return ALIGN_residual == 16 && ALIGN_out == 16 && cols % OUT_VECTOR == 0;
}
