const int COLS = 32;  // of a block
const int LINES = THREADS / COLS;  // of K that a block reads at a time
const int DEPTH = 128;  // K that a block transposes at a time
const int READS = DEPTH / LINES;  // of a thread

// A column, for reading it along K; beyond its end, and outside of the matrix, it is zero.
struct Column {
    const float* first;
    long long ld;
    int end;

    __device__ __forceinline__ float at(int k) const { return k < end ? first[k * ld] : 0.0f; }
};

#if SCALED
// The largest magnitude of a column, to all threads that read it.
__device__ __forceinline__ unsigned largest_of_column(Column column, int col, int line) {
    __shared__ unsigned of_lines[LINES][COLS];
    unsigned bits = 0;
    for (int k = line; k < column.end; k += DEPTH) {
#pragma unroll
        for (int i = 0; i < READS; ++i) bits = max(bits, magnitude(column.at(k + i * LINES)));
    }
    of_lines[line][col] = bits;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < LINES; ++i) bits = max(bits, of_lines[i][col]);
    return bits;
}

#endif
// A block has 32 columns, which it transposes in shared memory.
#if SCALED
// It has read them before, for their exponents.
#endif
extern "C" __global__ void __launch_bounds__(THREADS) split_columns(
    int m, int n, int,
    const float* x, long long ld_x, long long stride_0_x, long long stride_1_x,
    Part* planes, long long ld_planes, long long stride_0_planes, long long stride_1_planes,
#if SCALED
    int* exponents, long long, long long stride_0_exponents, long long stride_1_exponents,
#endif
    int count_1) {
    __shared__ float tile[DEPTH][COLS + 1];
#if SCALED
    __shared__ int of_columns[COLS];
#endif
    const unsigned parts = (unsigned(m) + COLS - 1) / COLS;
    const int first = blockIdx.x % parts * COLS, matrix = blockIdx.x / parts;
    const int outer = matrix / count_1, inner = matrix % count_1;
    x += outer * stride_0_x + inner * stride_1_x + first;
    planes += outer * stride_0_planes + inner * stride_1_planes + first * ld_planes;
    const int col = threadIdx.x % COLS, line = threadIdx.x / COLS, cols = min(COLS, m - first);
    const Column column = {x + col, ld_x, col < cols ? n : 0};

#if SCALED
    exponents += outer * stride_0_exponents + inner * stride_1_exponents + first;
    const int e = exponent(largest_of_column(column, col, line));
    if (line == 0) {
        of_columns[col] = e;
        if (col < cols) exponents[col] = e;
    }
#endif
    const int end = (n + UNIT - 1) / UNIT * UNIT;
    for (int k = 0; k < end; k += DEPTH) {
#pragma unroll
        for (int i = 0; i < READS; ++i) {
            tile[line + i * LINES][col] = column.at(k + line + i * LINES);
        }
        __syncthreads();
        for (int four = threadIdx.x; four < DEPTH / 4 * COLS; four += THREADS) {
            const int row = four / 8 % COLS, at = four % 8 * 4 + four / (8 * COLS) * 32;
            if (row >= cols || k + at >= end) continue;
            Four x;
#pragma unroll
            for (int i = 0; i < 4; ++i) x.of[i] = tile[at + i][row];
#if SCALED
            x = scaled(x, of_columns[row]);
#endif
            store(planes + row * ld_planes, k + at, x);
        }
        __syncthreads();
    }
}
