// Brings what the body reads where the copy unit does not.
__device__ __forceinline__ void fill(
    Staged* place, const Values& values, Part part, int rows, int cols) {
#pragma unroll 4
    for (int chunk = threadIdx.x % 128; chunk < SLAB / OUT_VECTOR; chunk += 128) {
        const auto [to, row, col, valid] = chunk_of(chunk, part, rows, cols);
        values.fill<OUT_VECTOR>(place + to, row, col, valid);
    }
}
