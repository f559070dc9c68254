// Eight warps, 2 x 4 of 64x64, multiply the stages of a 128x256x64 block of f16 over and over:
// fragments come from shared memory as in a GEMM, but nothing is copied there and nothing waited
// for.

constexpr int STAGES = 4, ROW_BYTES = 128;              // 64 halves along k
constexpr int A_BYTES = 128 * ROW_BYTES, STAGE_BYTES = A_BYTES + 256 * ROW_BYTES;

typedef f16_f32 Atom;
typedef unsigned FragmentsA[4][Atom::A];
typedef unsigned FragmentsB[8][Atom::B];

// A lane's rows of ldmatrix: 16 bytes at k-half `half` of a row that begins at `row`.
struct Rows {
    unsigned row, half;
    __device__ __forceinline__ unsigned at(unsigned stage, int first, int k_step) const {
        return stage + first * ROW_BYTES + row * ROW_BYTES + (((2 * k_step + half) ^ row % 8) << 4);
    }
};

__device__ __forceinline__ void load(
    FragmentsA& a, FragmentsB& b, Rows rows_a, Rows rows_b, unsigned stage, int k_step) {
#pragma unroll
    for (int i = 0; i < 4; ++i) ldmatrix_x4(a[i], rows_a.at(stage, 16 * i, k_step));
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        ldmatrix_x4(b[2 * j], rows_b.at(stage + A_BYTES, 16 * j, k_step));
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) roof(
    const uint4* source, unsigned* target, long long steps, u64 never) {
    extern __shared__ __align__(128) uint4 shared[];
    fill(shared, source, STAGES * STAGE_BYTES);
    const unsigned ring = unsigned(__cvta_generic_to_shared(shared));
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    // (m0, k0) (m8, k0) (m0, k8) (m8, k8) of A, (n0, k0) (n0, k8) (n8, k0) (n8, k8) of B.
    const Rows rows_a = {warp / 4 * 64 + lane % 16, lane / 16};
    const Rows rows_b = {warp % 4 * 64 + lane % 8 + lane / 16 * 8, lane / 8 % 2};

    float c[4][8][4] = {};
    FragmentsA a[2];
    FragmentsB b[2];
    unsigned stage = ring;
    load(a[0], b[0], rows_a, rows_b, stage, 0);
#pragma unroll 1
    for (long long step = 0; step < steps; ++step) {
#pragma unroll
        for (int k_step = 0; k_step < 4; ++k_step) {
            const int now = k_step % 2, next = 1 - now;
            if (k_step == 3) {
                stage = stage == ring + (STAGES - 1) * STAGE_BYTES ? ring : stage + STAGE_BYTES;
            }
            load(a[next], b[next], rows_a, rows_b, stage, (k_step + 1) % 4);
#pragma unroll
            for (int i = 0; i < 4; ++i) {
#pragma unroll
                for (int j = 0; j < 8; ++j) Atom::multiply(c[i][j], a[now][i], b[now][j]);
            }
        }
    }

    unsigned word = a[0][0][0] ^ b[0][0][0];
#pragma unroll
    for (int i = 0; i < 128; ++i) word ^= bits(c[i / 32][i / 4 % 8][i % 4]);
    keep(word, target, unsigned(never));
}
