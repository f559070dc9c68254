// Reduces each row of what a warpgroup stores to a value of each output. Of a band of 8 columns a
// lane has two neighbours, of rows lane / 4 and lane / 4 + 8 of its warp's 16 of an atom.
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
