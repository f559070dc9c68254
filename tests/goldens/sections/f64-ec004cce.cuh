// IEEE binary64, as stored.
typedef double f64;
__device__ __forceinline__ double to_value(f64 value) { return value; }
__device__ __forceinline__ void from_value(f64& result, double value) { result = value; }
