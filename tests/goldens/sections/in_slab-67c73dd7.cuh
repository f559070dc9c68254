// Index of an element in a slab: units of SLAB_UNIT elements change places within their row, so
// that neither the stores nor the loads of a warp meet in a bank.
__device__ __forceinline__ int in_slab(int row, int col) {
    constexpr int UNITS = SLAB_COLS / SLAB_UNIT;
    return row * SLAB_COLS + (col ^ row / 2 % UNITS * SLAB_UNIT);
}
