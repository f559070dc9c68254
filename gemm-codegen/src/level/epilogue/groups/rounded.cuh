// What is staged has been rounded.
__device__ __forceinline__ void from_value(Out& result, Out value) { result = value; }
