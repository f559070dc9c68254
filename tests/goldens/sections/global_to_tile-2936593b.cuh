// Issues the copy of the part of a matrix from (row, col) on to an epilogue tile; `barrier` counts
// its bytes. Out-of-bounds elements become zero. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void global_to_tile(
    const TensorMap& from, unsigned tile, int matrix, int row, int col, unsigned barrier) {
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4}], [%5];"
                 :: "r"(tile), "l"(&from), "r"(col), "r"(row), "r"(matrix), "r"(barrier)
                 : "memory");
}
