// Counts in the partial values of the LINES lines from `first` on, to which `storers` parts of the
// output contribute. The last one to arrive reduces all of them, in the order of the parts, so that
// the result does not depend on the order of arrival.
template <class Of>
__device__ __forceinline__ void finish(const Of& of, void* shared, int first, int storers) {
    int* const is_last = static_cast<int*>(shared);
    StagedTile::sync();  // the partial values are stored, and shared memory has been read
    const unsigned last = storers - 1;
    // The barrier before orders the stores of the others before the count, the next one their loads
    // after it.
    if (StagedTile::thread() == 0) {
        *is_last = count_in(of.partials.arrivals + first / Of::LINES, last) == last;
    }
    StagedTile::sync();
    const int end = *is_last ? min(first + Of::LINES, of.partials.lines) : first;
#pragma unroll 1
    for (int line = first + StagedTile::thread(); line < end; line += StagedTile::THREADS) {
#pragma unroll
        for (int number = 0; number < Of::COUNT; ++number) {
            Reducible total = Of::identity(number);
#pragma unroll 8
            for (int part = 0; part < of.partials.parts; ++part) {
                // Bypasses L1, which is not coherent across SMs.
                const Reducible value = __ldcg(of.partials.at(number, part, line));
                total = Of::combined(number, total, value);
            }
            of.store(number, line, total);
        }
    }
    StagedTile::sync();  // the flag has been read
}
