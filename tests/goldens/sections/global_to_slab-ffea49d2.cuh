// Issues the copy of the part of a matrix from (row, col) on to a slab; `barrier` counts its bytes.
// Out-of-bounds elements become zero. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void global_to_slab(
    const TensorMap& from, unsigned slab, int row, int col, unsigned barrier) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];"
                 :: "r"(slab), "l"(&from), "r"(col), "r"(row), "r"(barrier) : "memory");
}
