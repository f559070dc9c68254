// Reduces the partial values of the warp's rows, of the warpgroup's from `row0` on, in the order of
// the parts: two lanes have a row of each atom, one the first half of the parts.
template <class Of>
__device__ __forceinline__ void reduce_parts(const Of& of, int row0) {
    const int lane = threadIdx.x % 32, parts = of.partials.parts;
    const int row = row0 + threadIdx.x / 32 % 4 * 16 + lane % 16;
    const int half = (parts + 1) / 2, from = lane / 16 * half, to = min(from + half, parts);
    constexpr int AT_ONCE = 16 / ATOMS_M;  // parts
#pragma unroll
    for (int number = 0; number < Of::COUNT; ++number) {
        Reducible totals[ATOMS_M];
#pragma unroll
        for (int atom = 0; atom < ATOMS_M; ++atom) totals[atom] = Of::identity(number);
        // All loads of an iteration are in flight: the block may be the last one of the launch.
#pragma unroll 1
        for (int first = from; first < to; first += AT_ONCE) {
            Reducible values[AT_ONCE][ATOMS_M];
#pragma unroll
            for (int i = 0; i < AT_ONCE * ATOMS_M; ++i) {
                const int part = first + i / ATOMS_M, line = row + i % ATOMS_M * MMA_M;
                // Bypasses L1, which is not coherent across SMs.
                values[i / ATOMS_M][i % ATOMS_M] =
                    part < to && line < of.partials.lines
                        ? __ldcg(of.partials.at(number, part, line)) : Of::identity(number);
            }
#pragma unroll
            for (int i = 0; i < AT_ONCE * ATOMS_M; ++i) {
                Reducible& total = totals[i % ATOMS_M];
                total = Of::combined(number, total, values[i / ATOMS_M][i % ATOMS_M]);
            }
        }
#pragma unroll
        for (int atom = 0; atom < ATOMS_M; ++atom) {
            const int line = row + atom * MMA_M;
            const Reducible second = __shfl_down_sync(~0u, totals[atom], 16);
            const Reducible total = Of::combined(number, totals[atom], second);
            if (lane < 16 && line < of.partials.lines) of.store(number, line, total);
        }
    }
}
