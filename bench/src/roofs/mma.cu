// A warp tile of ROWS x COLUMNS atoms whose factors stay in registers. In a step, each atom is
// multiplied by two factors in turn, as the two k-steps of fragments that a kernel holds.

typedef ATOM::Factor Factor;
typedef ATOM::Sum Sum;

extern "C" __global__ void __launch_bounds__(THREADS, 1) roof(
    const Factor* source, unsigned* target, long long steps, u64 never) {
    Factor a[ROWS][ATOM::A], b[2][COLUMNS][ATOM::B];
    Sum c[ROWS][COLUMNS][ATOM::C];
    const Factor* from = source + threadIdx.x;
#pragma unroll
    for (int i = 0; i < ROWS; ++i) {
#pragma unroll
        for (int r = 0; r < ATOM::A; ++r, from += THREADS) a[i][r] = *from;
    }
#pragma unroll
    for (int i = 0; i < 2 * COLUMNS; ++i) {
#pragma unroll
        for (int r = 0; r < ATOM::B; ++r, from += THREADS) b[i % 2][i / 2][r] = *from;
    }
#pragma unroll
    for (int i = 0; i < ROWS * COLUMNS; ++i) {
#pragma unroll
        for (int r = 0; r < ATOM::C; ++r) c[i / COLUMNS][i % COLUMNS][r] = ATOM::START;
    }

#pragma unroll 1
    for (long long step = 0; step < steps; ++step) {
#pragma unroll
        for (int side = 0; side < 2; ++side) {
#pragma unroll
            for (int i = 0; i < ROWS * COLUMNS; ++i) {
                ATOM::multiply(
                    c[i / COLUMNS][i % COLUMNS], a[i / COLUMNS], b[side][i % COLUMNS]);
            }
#pragma unroll
            for (int i = 0; i < COLUMNS * ATOM::B; ++i) {
                ATOM::flip(b[side][i / ATOM::B][i % ATOM::B]);
            }
        }
    }

    unsigned word = 0;
#pragma unroll
    for (int i = 0; i < ROWS * COLUMNS; ++i) {
#pragma unroll
        for (int r = 0; r < ATOM::C; ++r) word ^= bits(c[i / COLUMNS][i % COLUMNS][r]);
    }
    keep(word, target, unsigned(never));
}
