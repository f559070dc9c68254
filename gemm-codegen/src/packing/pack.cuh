// A block of x, and how many of its rows and columns are within the matrix.
struct Block {
    const Byte* first;
    long long ld;
    int rows, cols;

    // Outside the matrix, numbers are zero.
    __device__ __forceinline__ unsigned number(int line, int k) const {
        const int col = k / OF_BYTE;
        if (line >= rows || col >= cols) return 0;
        return first[line * ld + col] >> k % OF_BYTE * BITS & MASK;
    }
};

// A thread gathers the numbers of one element.
extern "C" __global__ void __launch_bounds__(THREADS) pack(
    int m, int n, int,
    const Byte* x, long long ld_x,
    uint4* packed, long long ld_packed) {
    const unsigned parts = (unsigned(n) + THREADS - 1) / THREADS;
    const int row = blockIdx.x / parts, col = blockIdx.x % parts * THREADS + threadIdx.x;
    const int lane = col % LANES, first_row = row * LINES, first_col = col - lane;
    if (first_col >= n) return;
    const Block block = {
        x + first_row * ld_x + first_col, ld_x, m - first_row, n - first_col};
    unsigned words[4] = {0, 0, 0, 0};
#pragma unroll
    for (int step = 0; step < STEPS; ++step) {
#pragma unroll
        for (int reg = 0; reg < 4; ++reg) {
#pragma unroll
            for (int second = 0; second < 2; ++second) {
                const int line = lane / 4 + reg % 2 * 8;
                const int k = step * 16 + reg / 2 * 8 + lane % 4 * 2 + second;
                const int bit = bit_of(step, reg, second);
                words[bit / 32] |= block.number(line, k) << bit % 32;
            }
        }
    }
    packed[row * ld_packed + col] = {words[0], words[1], words[2], words[3]};
}
