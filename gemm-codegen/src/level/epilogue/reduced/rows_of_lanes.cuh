// Reduces each row of what a warpgroup stores to a value of each output. Of a band of 8 columns a
// lane has two neighbours, of rows lane / 4 and lane / 4 + 8 of the 16 that its warp has of an atom.
template <class Of>
struct Rows {
    Of of;
    Reducible own[2][Of::COUNT];  // of each of these rows

    // Begins an atom.
    __device__ __forceinline__ void start() {
#pragma unroll
        for (int i = 0; i < 2 * Of::COUNT; ++i) {
            own[i / Of::COUNT][i % Of::COUNT] = Of::identity(i % Of::COUNT);
        }
    }

    // Takes what the body gives for an element of a row of the atom, if that is inside the output.
    __device__ __forceinline__ void take(const Result& result, int row, bool is_inside) {
        Reducible (&reduced)[Of::COUNT] = own[row / 8 % 2];
#pragma unroll
        for (int number = 0; number < Of::COUNT; ++number) {
            const Reducible element = Of::element(number, result);
            if (is_inside) reduced[number] = Of::combined(number, reduced[number], element);
        }
    }

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
