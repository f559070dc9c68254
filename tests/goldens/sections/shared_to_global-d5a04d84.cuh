// Stores results where the copy unit does not. A thread stores the elements that it has brought,
// one chunk after the other: sums leave few registers.
__device__ __forceinline__ void shared_to_global(
    const Outputs& outputs, const Staged* stage, EpilogueTile tile, int rows, int cols) {
#pragma unroll 1
    for (int chunk = threadIdx.x % 128; chunk < CHUNKS; chunk += 128) {
        const auto [from, row, col, valid] = chunk_of(chunk, tile, rows, cols);
        if (valid == 0) continue;
        __align__(16) Staged results[OUT_VECTOR];
        fetch<16>(results, stage + from, OUT_VECTOR);
        outputs.store(results, row, col, valid);
    }
}
