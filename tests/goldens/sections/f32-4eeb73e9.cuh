// IEEE binary32, as stored.
typedef float f32;
__device__ __forceinline__ float to_value(f32 value) { return value; }
__device__ __forceinline__ void from_value(f32& result, float value) { result = value; }
