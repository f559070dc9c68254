// The scales of a lane's lines of a factor, and the offsets of the same tiles, which lie after
// them.
template <class OfScales, class OfOffsets>
struct CopiedWithOffsets {
    typedef CopiedScales<OfScales> Scales;
    typedef CopiedScales<OfOffsets> Offsets;
    static constexpr int BYTES = Scales::BYTES + Offsets::BYTES;

    Scales scales;
    Offsets offsets;

    __device__ __forceinline__ void copy(unsigned to, int k, int end) const {
        scales.copy(to, k, end);
        offsets.copy(to + Scales::BYTES, k, end);
    }
    __device__ __forceinline__ void load(unsigned from) {
        scales.load(from);
        offsets.load(from + Scales::BYTES);
    }

    __device__ __forceinline__ Sum value(int line, int step) const {
        return scales.value(line, step);
    }
    __device__ __forceinline__ Sum offset(int line, int step) const {
        return offsets.value(line, step);
    }
};
