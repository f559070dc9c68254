// The place that follows those of the first `tiles` k-tiles, at most one for each stage. No stage
// has been filled before: each counts as left.
__device__ __forceinline__ Place place_after(int tiles) {
    return tiles == STAGES ? Place{0, 0} : Place{unsigned(tiles), 1};
}
