// The scales of the lines of a factor, and its offsets, which have the same tiles.
template <class OfScales, class OfOffsets>
struct ScalesWithOffsets {
    OfScales scales;
    OfOffsets offsets;

    __device__ __forceinline__ void load(unsigned stage, int mn, int k) {
        scales.load(stage, mn, k);
        offsets.load(stage, mn, k);
    }

    __device__ __forceinline__ Sum value(int i) const { return scales.value(i); }
    __device__ __forceinline__ Sum offset(int i) const { return offsets.value(i); }
};
