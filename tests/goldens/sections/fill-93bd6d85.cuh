// Brings what the body reads where the copy unit does not.
__device__ __forceinline__ void fill(
    Staged* stage, const Values& values, EpilogueTile tile, int rows, int cols) {
#pragma unroll 4
    for (int chunk = threadIdx.x % 128; chunk < CHUNKS; chunk += 128) {
        const auto [to, row, col, valid] = chunk_of(chunk, tile, rows, cols);
        values.fill<OUT_VECTOR>(stage + to, row, col, valid);
    }
}
