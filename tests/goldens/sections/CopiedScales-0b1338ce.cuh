    __device__ __forceinline__ CopiedScales(
        const Element* first, long long ld, int mn0, int mn)
        : first(first), ld(ld), mn0(mn0), mn(mn) {}

    // Begins to copy those of the k-tile at `k`; `to` has those of the warpgroup.
    __device__ __forceinline__ void copy(unsigned to, int k, int end) const {
        const int warp = threadIdx.x % 128 / 32 * 16;  // its first line
#pragma unroll
        for (int i = 0; i < ATOMS_M * 16 * PARTS / 32; ++i) {
            const int number = i * 32 + threadIdx.x % 32;
            const int part = number % PARTS, of_warp = number / PARTS;
            const int line = of_warp / 16 * MMA_M + warp + of_warp % 16, at_k = k + part * Of::K;
            cp_async_ca<CopiedScales>(
                to + line * LINE_BYTES + part * COPY_BYTES,
                first + (mn0 + line) * ld + at_k / Of::K, mn0 + line < mn && at_k < end);
        }
    }
