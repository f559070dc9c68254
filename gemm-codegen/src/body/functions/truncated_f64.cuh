// x without its fraction, saturated. NaN becomes 0; alone it would be INT_MIN. (PTX ISA, cvt)
__device__ __forceinline__ int truncated_f64(const double x) {
    return x == x ? __double2int_rz(x) : 0;
}
