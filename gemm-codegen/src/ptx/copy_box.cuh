// Copies a box of a matrix to shared memory; `barrier` counts its bytes. Out-of-bounds elements
// become zero. (PTX ISA, cp.async.bulk.tensor)
__device__ __forceinline__ void copy_box(
#if POLICY
    unsigned to, const TensorMap& operand, BatchBox box, unsigned barrier,
    unsigned long long policy) {
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".L2::cache_hint [%0], [%1, {%2, %3, %4}], [%5], %6;"
                 :: "r"(to), "l"(&operand), "r"(box.col), "r"(box.row), "r"(box.matrix),
                    "r"(barrier), "l"(policy) : "memory");
#else
    unsigned to, const TensorMap& operand, BatchBox box, unsigned barrier) {
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4}], [%5];"
                 :: "r"(to), "l"(&operand), "r"(box.col), "r"(box.row), "r"(box.matrix),
                    "r"(barrier) : "memory");
#endif
}
