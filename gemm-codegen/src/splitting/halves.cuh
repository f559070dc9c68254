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

__device__ __forceinline__ Half to_half(float x) {
    Half half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(x));
    return half;
}

__device__ __forceinline__ float to_float(Half half) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(half));
    return x;
}

// Four consecutive elements of a row.
struct Four { float of[4]; };

// Four halves of a plane.
struct alignas(8) Halves { Half of[4]; };

// Stores both halves of four elements from k on, scaled by 2^-e.
__device__ __forceinline__ void store(Half* row, int k, Four x, int e) {
    const int part = -e / 2;
    const float first = power_of_two(part), second = power_of_two(-e - part);
    Halves high, low;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const float scaled = x.of[i] * first * second;
        high.of[i] = to_half(scaled);
        low.of[i] = to_half(scaled - to_float(high.of[i]));
    }
    Half* to = row + k / UNIT * (2 * UNIT) + k % UNIT;
    *reinterpret_cast<Halves*>(to) = high;
    *reinterpret_cast<Halves*>(to + UNIT) = low;
}
