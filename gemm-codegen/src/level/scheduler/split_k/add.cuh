// One accumulator of a lane.
typedef Sum Register;
__device__ __forceinline__ void add(Register& sum, Register partial) { sum += partial; }
