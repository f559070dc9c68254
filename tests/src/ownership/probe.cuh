
// Fills the first stage with the number mn * BLK_K + k of each element of A, behind it of B, from
// its byte number `digit` on, and writes what each lane then holds: registers of A for each k-step,
// registers of B, both as four bytes a register. Then the accumulators, each with its own number, as
// they are staged.
extern "C" __global__ void ownership_probe(
    int, int, int digit, const float*, long long, float* out, long long) {
    extern __shared__ __align__(128) unsigned char shared[];
    const unsigned ring = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    const int lane = threadIdx.x;

    const auto number = [&](auto tile, unsigned char* to) {
        typedef decltype(tile) Tile;
        for (int i = lane; i < Tile::ROWS * Tile::COLS; i += 32) {
            const int row = i / Tile::COLS, col = i % Tile::COLS;
            const unsigned long long value =
                Tile::K_CONTIGUOUS ? row * BLK_K + col : col * BLK_K + row;
            for (int byte = 0; byte < int(sizeof(typename Tile::Element)); ++byte) {
                to[Tile::offset(row, col) + byte] = value >> 8 * (digit + byte);
            }
        }
    };
    number(TileA(), shared);
    number(TileB(), shared + TileA::BYTES);
    __syncthreads();

    const auto load = [&](auto tile, unsigned stage) {
        typedef decltype(tile) Tile;
        for (int step = 0; step < STEPS_K; ++step) {
            unsigned held[Tile::REGISTERS];
            shared_to_register<Tile>(held, stage, 0, step * MMA_K);
#pragma unroll
            for (int i = 0; i < Tile::REGISTERS; ++i) {
#pragma unroll
                for (int byte = 0; byte < 4; ++byte) {
                    out[((step * 32 + lane) * Tile::REGISTERS + i) * 4 + byte] =
                        held[i] >> 8 * byte & 0xff;
                }
            }
        }
        out += STEPS_K * 32 * Tile::REGISTERS * 4;
    };
    load(TileA(), ring);
    load(TileB(), ring + TileA::BYTES);

    Accumulators acc;
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < ATOMS_N; ++j) {
#pragma unroll
            for (int c = 0; c < C_REGISTERS; ++c) {
                acc[i][j][c] = ((i * ATOMS_N + j) * C_REGISTERS + c) * 32 + lane;
            }
        }
    }
    Sum* const staged = reinterpret_cast<Sum*>(shared);
#pragma unroll
    for (int pass = 0; pass < PASSES; ++pass) {
        __syncthreads();
        stage(staged, acc, warps(), pass);
        __syncthreads();
        for (int i = lane; i < STAGED_ROWS * STAGED_COLS; i += 32) {
            const int row = i / STAGED_COLS, col = i % STAGED_COLS;
            out[(pass * PASS_ROWS + row) * STAGED_COLS + col] = staged[row * STAGED_PITCH + col];
        }
    }
}
