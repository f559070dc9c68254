// Copies a box of a matrix to the same place in the `blocks` of a cluster, where the barrier of
// each counts the bytes. (PTX ISA, cp.async.bulk.tensor, .multicast::cluster)
__device__ __forceinline__ void multicast_box(
#if POLICY
    unsigned to, const TensorMap& operand, BatchBox box, unsigned barrier, unsigned short blocks,
    unsigned long long policy) {
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster.L2::cache_hint [%0], [%1, {%2, %3, %4}], [%5], %6, %7;"
                 :: "r"(to), "l"(&operand), "r"(box.col), "r"(box.row), "r"(box.matrix),
                    "r"(barrier), "h"(blocks), "l"(policy) : "memory");
#else
    unsigned to, const TensorMap& operand, BatchBox box, unsigned barrier, unsigned short blocks) {
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%2, %3, %4}], [%5], %6;"
                 :: "r"(to), "l"(&operand), "r"(box.col), "r"(box.row), "r"(box.matrix),
                    "r"(barrier), "h"(blocks) : "memory");
#endif
}
