// A thread gathers the numbers of one byte.
extern "C" __global__ void __launch_bounds__(THREADS) unpack(
    int m, int n, int,
    const Byte* packed, long long ld_packed,
    Byte* x, long long ld_x) {
    const unsigned parts = (unsigned(n) + THREADS - 1) / THREADS;
    const int row = blockIdx.x / parts, col = blockIdx.x % parts * THREADS + threadIdx.x;
    if (col >= n) return;
    const int line = row % LINES;
    const Byte* block = packed + (row / LINES * ld_packed + col / LANES * LANES) * ELEMENT;
    unsigned byte = 0;
#pragma unroll
    for (int i = 0; i < OF_BYTE; ++i) {
        const int k = col % LANES * OF_BYTE + i;
        const int lane = line % 8 * 4 + k % 8 / 2;
        const int bit = bit_of(k / 16, line / 8 + k % 16 / 8 * 2, k % 2);
        byte |= (block[lane * ELEMENT + bit / 8] >> bit % 8 & MASK) << i * BITS;
    }
    x[row * ld_x + col] = byte;
}
