// Starts the copy of a tile, ROWS rows of COLS elements from (mn0, k0) on, to a stage; `barrier`
// counts its bytes. What lies outside the operand becomes zero. (PTX ISA, cp.async.bulk.tensor)
template <class Tile>
__device__ __forceinline__ void global_to_shared(
    unsigned stage, const TensorMap& operand, int mn0, int k0, unsigned barrier) {
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];"
                 :: "r"(stage), "l"(&operand), "r"(k0), "r"(mn0), "r"(barrier) : "memory");
}
