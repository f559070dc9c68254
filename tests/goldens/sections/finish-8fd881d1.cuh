
    // Reduces the partial values of the warp's rows in the order of the parts: two lanes have a row,
    // one the first half of the parts.
    __device__ __forceinline__ void finish(int first, int parts) const {
        const int lane = threadIdx.x % 32, line = first + lane % 16;
        const bool is_inside = line < of.partials.lines;
        const int half = (parts + 1) / 2, from = lane / 16 * half, to = min(from + half, parts);
#pragma unroll
        for (int number = 0; number < Of::COUNT; ++number) {
            Reducible total = Of::identity(number);
#pragma unroll 8
            for (int part = from; part < to; ++part) {
                if (!is_inside) break;
                // Bypasses L1, which is not coherent across SMs.
                const Reducible value = __ldcg(of.partials.at(number, part, line));
                total = Of::combined(number, total, value);
            }
            total = Of::combined(number, total, __shfl_down_sync(~0u, total, 16));
            if (lane < 16 && is_inside) of.store(number, line, total);
        }
    }
};
