// The scales of the lines of a factor, and its offsets, which have the same tiles.
template <class OfScales, class OfOffsets>
struct ScalesWithOffsets {
    OfScales scales;
    OfOffsets offsets;

    __device__ __forceinline__ void advance(int by) {
        scales.advance(by);
        offsets.advance(by);
    }

    __device__ __forceinline__ Sum value(int i) const { return scales.value(i); }
    __device__ __forceinline__ Sum offset(int i) const { return offsets.value(i); }
};
