// Reads what the body takes for COUNT chunks from `first` on.
template <int COUNT>
__device__ __forceinline__ void read(
    Values::Read<OUT_VECTOR> (&read)[COUNT], const Values& values, int first, EpilogueTile tile) {
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
        const Chunk chunk = chunk_of(first + i * 128, tile);
        if (chunk.valid > 0) values.read(read[i], chunk.row, chunk.col, chunk.valid);
    }
}
