const int LANES = 32, WARPS = THREADS / LANES;
const int BYTES = sizeof(Bits);
const int VECTOR = 16 / BYTES;  // elements of a store
static_assert(COLS == LANES * VECTOR, "a warp copies a row of a block's part at once");

// The first row and column of a block's part, and its matrix.
struct Part { int row, col, matrix; };

__device__ __forceinline__ Part part(int m, int n) {
    const unsigned parts_m = (m + ROWS - 1) / ROWS, parts_n = (n + COLS - 1) / COLS;
    const unsigned rows = blockIdx.x / parts_n;
    return {int(rows % parts_m) * ROWS, int(blockIdx.x % parts_n) * COLS, int(rows / parts_m)};
}

// Bytes from the word of 4 bytes that has the first byte of an element to that byte.
__device__ __forceinline__ int skew(const Bits* element) {
    return reinterpret_cast<unsigned long long>(element) % 4;
}

// The 16 bytes from `from` on, of the words of 4 bytes that have them: four, or five with a skew.
__device__ __forceinline__ uint4 load(const Bits* from, int skew) {
    const char* first = reinterpret_cast<const char*>(from) - skew;
    const unsigned* words = reinterpret_cast<const unsigned*>(first);
    const unsigned a = words[0], b = words[1], c = words[2], d = words[3];
    const unsigned e = skew == 0 ? 0 : words[4];
    return {__funnelshift_r(a, b, 8 * skew), __funnelshift_r(b, c, 8 * skew),
            __funnelshift_r(c, d, 8 * skew), __funnelshift_r(d, e, 8 * skew)};
}

// Copies up to VECTOR elements of a row that has `before` bytes before `from`, and `after` bytes
// from there on. It reads only words that lie within the row, so the ends are copied by elements.
__device__ __forceinline__ void copy(
    Bits* to, const Bits* from, long long before, long long after) {
    const int skewed = skew(from);
    if (before >= skewed && after >= (skewed == 0 ? 16 : 20 - skewed)) {
        *reinterpret_cast<uint4*>(to) = load(from, skewed);
        return;
    }
#pragma unroll
    for (int i = 0; i < VECTOR; ++i) {
        if (i * BYTES < after) to[i] = from[i];
    }
}

// A warp copies a row of its block's part at a time: it stores 512 consecutive bytes.
extern "C" __global__ void __launch_bounds__(THREADS) pad_rows(
    int m, int n, int,
    const Bits* x, long long ld_x, long long stride_0_x, long long stride_1_x,
    Bits* out, long long ld_out, long long stride_0_out, long long stride_1_out, int count_1) {
    const Part of = part(m, n);
    const int col = of.col + threadIdx.x % LANES * VECTOR;
    if (col >= n) return;
    const long long before = (long long)col * BYTES, after = (long long)(n - col) * BYTES;
    const int outer = of.matrix / count_1, inner = of.matrix % count_1;
    x += outer * stride_0_x + inner * stride_1_x + col;
    out += outer * stride_0_out + inner * stride_1_out + col;
#pragma unroll
    for (int i = 0; i < ROWS; i += WARPS) {
        const long long row = of.row + threadIdx.x / LANES + i;
        if (row < m) copy(out + row * ld_out, x + row * ld_x, before, after);
    }
}
