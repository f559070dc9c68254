// 32-bit signed integer, as stored.
typedef int i32;
__device__ __forceinline__ int to_value(i32 value) { return value; }
__device__ __forceinline__ void from_value(i32& result, int value) { result = value; }
