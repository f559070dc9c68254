// Bits below the exponent of a row's largest element that its scale leaves to it.
const int LARGEST = 14;

// The bits of |x|; 0 of an infinity or a NaN, which no scale makes smaller.
__device__ __forceinline__ unsigned magnitude(float x) {
    const unsigned bits = __float_as_uint(x) & 0x7fffffff;
    return bits < 0x7f800000 ? bits : 0;
}

// The exponent e of a row whose largest magnitude has these bits: its elements are scaled by 2^-e.
__device__ __forceinline__ int exponent(unsigned bits) {
    if (bits == 0) return 0;
    const int of_first_bit = bits >> 23 ? int(bits >> 23) - 127 : -118 - __clz(bits);
    return of_first_bit - LARGEST;
}

// 2^power, from 2^-126 to 2^127.
__device__ __forceinline__ float power_of_two(int power) {
    return __int_as_float((power + 127) << 23);
}

__device__ __forceinline__ Part to_part(float x) {
    Part part;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(part) : "f"(x));
    return part;
}

__device__ __forceinline__ float to_float(Part part) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(part));
    return x;
}

// Four elements times 2^-e. Two factors, for no f32 has all of these powers.
__device__ __forceinline__ Four scaled(Four x, int e) {
    const int part = -e / 2;
    const float first = power_of_two(part), second = power_of_two(-e - part);
#pragma unroll
    for (int i = 0; i < 4; ++i) x.of[i] *= first, x.of[i] *= second;
    return x;
}
