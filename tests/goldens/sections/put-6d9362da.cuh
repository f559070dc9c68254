
    // Ends an atom whose rows begin at `row0`: stores the partial values of `part` of the columns.
    __device__ __forceinline__ void put(int row0, int part) const {
        const int lane = threadIdx.x % 32, first = row0 + threadIdx.x / 32 % 4 * 16;
        if (first >= of.partials.lines) return;
#pragma unroll
        for (int i = 0; i < 2 * Of::COUNT; ++i) {
            const int line = first + i / Of::COUNT * 8 + lane / 4, number = i % Of::COUNT;
            Reducible total = own[i / Of::COUNT][number];
#pragma unroll
            for (int apart = 1; apart < 4; apart *= 2) {
                total = Of::combined(number, total, __shfl_xor_sync(~0u, total, apart));
            }
            if (lane % 4 == 0 && line < of.partials.lines) {
                of.partials.put(number, part, line, total);
            }
        }
    }
};
