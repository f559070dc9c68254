// Copies a box of a matrix to the same place in the `blocks` of a cluster, where the barrier of
// each counts the bytes. (PTX ISA, cp.async.bulk.tensor, .multicast::cluster)
__device__ __forceinline__ void multicast_box(
    unsigned to, const TensorMap& operand, Box box, unsigned barrier, unsigned short blocks) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
                 :: "r"(to), "l"(&operand), "r"(box.col), "r"(box.row), "r"(barrier), "h"(blocks)
                 : "memory");
}
