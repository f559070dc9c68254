// Index of an element in an epilogue tile, swizzled so that neither the stores nor the loads of a
// warp meet in a bank; a tile that the copy unit stores, as that has it. (CUDA Driver API,
// CU_TENSOR_MAP_SWIZZLE_128B)
__device__ __forceinline__ int in_epilogue_tile(int row, int col) {
    return row * EPILOGUE_COLS + (col ^ EpilogueSwizzle::bits_of_row(row));
}
