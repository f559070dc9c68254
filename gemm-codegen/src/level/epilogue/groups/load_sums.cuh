// Loads the sums of a chunk.
__device__ __forceinline__ void load_sums(
    Sums<OUT_VECTOR>& sums, const Staged* staged, const Chunk& chunk) {
    load<16>(sums, staged + chunk.staged, OUT_VECTOR);
}
