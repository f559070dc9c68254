// Index of an element in a slab: units of SLAB_UNIT elements, 16 bytes, change places within their
// row as the copy unit has them. (CUDA Driver API, CU_TENSOR_MAP_SWIZZLE_128B)
__device__ __forceinline__ int in_slab(int row, int col) {
    constexpr int UNITS = SLAB_COLS / SLAB_UNIT;
    return row * SLAB_COLS + (col ^ row % UNITS * SLAB_UNIT);
}
