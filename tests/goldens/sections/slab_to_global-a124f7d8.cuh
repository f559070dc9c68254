// Stores results where the copy unit does not. A thread stores the elements that it has brought,
// one chunk after the other: sums leave few registers.
__device__ __forceinline__ void slab_to_global(
    Out* out, long long ld, const Staged* slab, Part part, int rows, int cols) {
#pragma unroll 1
    for (int chunk = threadIdx.x % 128; chunk < SLAB / OUT_VECTOR; chunk += 128) {
        const auto [from, row, col, valid] = chunk_of(chunk, part, rows, cols);
        if (valid == 0) continue;
        __align__(16) Staged results[OUT_VECTOR];
        fetch<16>(results, slab + from, OUT_VECTOR);
        store<ALIGN_out>(out + row * ld + col, results, valid);
    }
}
