
    // Ends an atom whose rows begin at `row0`: stores the partial values of `part` of the columns
    // and counts them in. The last warp to arrive at its rows, of those of `parts`, reduces all.
    __device__ __forceinline__ void reduce(int row0, int part, int parts) const {
        const int lane = threadIdx.x % 32, first = row0 + threadIdx.x / 32 % 4 * 16;
        const int lines = of.partials.lines;
        if (first >= lines) return;
#pragma unroll
        for (int i = 0; i < 2 * Of::COUNT; ++i) {
            const int line = first + i / Of::COUNT * 8 + lane / 4, number = i % Of::COUNT;
            Reducible total = own[i / Of::COUNT][number];
#pragma unroll
            for (int apart = 1; apart < 4; apart *= 2) {
                total = Of::combined(number, total, __shfl_xor_sync(~0u, total, apart));
            }
            if (lane % 4 == 0 && line < lines) of.partials.put(number, part, line, total);
        }
        __syncwarp();  // the partial values are stored
        unsigned arrived = 0;
        if (lane == 0) {
            // With the barrier, the fence orders the stores of the warp before the count. atomicInc
            // wraps from its second argument to 0.
            __threadfence();
            arrived = atomicInc(of.partials.arrivals + first / Of::LINES, parts - 1);
        }
        if (__shfl_sync(~0u, arrived, 0) != parts - 1) return;
        if (lane == 0) __threadfence();  // orders the loads of the warp after the count
        __syncwarp();
        finish(first, parts);
    }
