// What a lane holds of an accumulator in a register.
typedef Sum Register;
__device__ __forceinline__ void add(Register& sum, Register partial) { sum += partial; }
