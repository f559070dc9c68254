// Counts in the partial values that the warp has stored of its rows of a part of the output. The
// last one to arrive reduces all of these rows, so that the result does not depend on the order of
// arrival.
template <class Of>
__device__ __forceinline__ void finish_rows(const Of& of, int row0, int col0, int cols) {
    const int first = row0 + threadIdx.x / 32 % 4 * 16;
    if (first >= of.partials.lines || col0 >= cols) return;
    __syncwarp();  // the partial values are stored
    unsigned arrived = 0;
    const unsigned last = of.partials.parts - 1;
    if (threadIdx.x % 32 == 0) {
        arrived = count_in(of.partials.arrivals + first / Of::LINES, last);
    }
    if (__shfl_sync(~0u, arrived, 0) != last) return;
    __syncwarp();  // orders the loads of the warp after the count
    reduce_parts(of, row0);
}
