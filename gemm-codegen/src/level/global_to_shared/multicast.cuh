// The same of a tile that all blocks of a cluster multiply. Each copies its part of the rows of
// each box to the same place in all of them, where the barrier of that block counts the bytes.
// (PTX ISA, cp.async.bulk.tensor, .multicast::cluster)
template <class Tile>
__device__ __forceinline__ void multicast(
#if BATCHED
    unsigned stage, const TensorMap& operand, int matrix, int mn0, int k0, unsigned barrier) {
#else
    unsigned stage, const TensorMap& operand, int mn0, int k0, unsigned barrier) {
#endif
    constexpr int ROWS = Tile::ROWS / CLUSTER;
    static_assert(ROWS * CLUSTER == Tile::ROWS && ROWS % 8 == 0, "parts begin where swizzles do");
    constexpr unsigned short ALL = (1 << CLUSTER) - 1;
    const int first = cluster_rank() * ROWS;
#if PANELS
    const int row = Tile::K_CONTIGUOUS ? mn0 : k0, col = Tile::K_CONTIGUOUS ? k0 : mn0;
#pragma unroll
    for (int panel = 0; panel < Tile::PANELS; ++panel) {
#if BATCHED
        asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes"
                     ".multicast::cluster [%0], [%1, {%2, %3, %4}], [%5], %6;"
                     :: "r"(stage + panel * Tile::PANEL_BYTES + first * Tile::PITCH), "l"(&operand),
                        "r"(col + panel * Tile::PANEL_COLS), "r"(row + first), "r"(matrix),
                        "r"(barrier), "h"(ALL) : "memory");
#else
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
                     ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
                     :: "r"(stage + panel * Tile::PANEL_BYTES + first * Tile::PITCH), "l"(&operand),
                        "r"(col + panel * Tile::PANEL_COLS), "r"(row + first), "r"(barrier),
                        "h"(ALL) : "memory");
#endif
    }
#else
#if BATCHED
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%2, %3, %4}], [%5], %6;"
                 :: "r"(stage + first * Tile::PITCH), "l"(&operand), "r"(k0), "r"(mn0 + first),
                    "r"(matrix), "r"(barrier), "h"(ALL) : "memory");
#else
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;"
                 :: "r"(stage + first * Tile::PITCH), "l"(&operand), "r"(k0), "r"(mn0 + first),
                    "r"(barrier), "h"(ALL) : "memory");
#endif
#endif
}
