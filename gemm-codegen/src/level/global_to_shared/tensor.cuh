#if BATCHED
// Issues the copies of a k-tile, ROWS rows of COLS elements from (mn0, k0) of a batch's matrix on,
// to a stage, one for each box; `barrier` counts their bytes. Out-of-bounds elements become zero.
// (PTX ISA, cp.async.bulk.tensor)
#else
// Issues the copies of a k-tile, ROWS rows of COLS elements from (mn0, k0) on, to a stage, one for
// each box; `barrier` counts their bytes. Out-of-bounds elements become zero.
// (PTX ISA, cp.async.bulk.tensor)
#endif
template <class Tile>
__device__ __forceinline__ void global_to_shared(
#if BATCHED
    unsigned stage, const TensorMap& operand, int matrix, int mn0, int k0, unsigned barrier) {
#else
    unsigned stage, const TensorMap& operand, int mn0, int k0, unsigned barrier) {
#endif
#if PANELS
    const int row = Tile::K_CONTIGUOUS ? mn0 : k0, col = Tile::K_CONTIGUOUS ? k0 : mn0;
#pragma unroll
    for (int panel = 0; panel < Tile::PANELS; ++panel) {
#if BATCHED
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {%2, %3, %4}], [%5];"
                     :: "r"(stage + panel * Tile::PANEL_BYTES), "l"(&operand),
                        "r"(col + panel * Tile::PANEL_COLS), "r"(row), "r"(matrix), "r"(barrier)
                     : "memory");
#else
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                     "[%0], [%1, {%2, %3}], [%4];"
                     :: "r"(stage + panel * Tile::PANEL_BYTES), "l"(&operand),
                        "r"(col + panel * Tile::PANEL_COLS), "r"(row), "r"(barrier) : "memory");
#endif
    }
#else
#if BATCHED
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3, %4}], [%5];"
                 :: "r"(stage), "l"(&operand), "r"(k0), "r"(mn0), "r"(matrix), "r"(barrier)
                 : "memory");
#else
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1, {%2, %3}], [%4];"
                 :: "r"(stage), "l"(&operand), "r"(k0), "r"(mn0), "r"(barrier) : "memory");
#endif
#endif
}
