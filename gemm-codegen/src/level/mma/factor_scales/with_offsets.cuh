// The scales of a lane's lines of a factor, and the offsets of the same tiles.
template <class OfScales, class OfOffsets>
struct FactorScalesWithOffsets {
    FactorScales<OfScales> scales;
    FactorScales<OfOffsets> offsets;

    __device__ __forceinline__ void advance() {
        scales.advance();
        offsets.advance();
    }

    __device__ __forceinline__ Sum value(int line, int step) const {
        return scales.value(line, step);
    }
    __device__ __forceinline__ Sum offset(int line, int step) const {
        return offsets.value(line, step);
    }
};
