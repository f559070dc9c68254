// x / 2 * (1 + erf(x / sqrt(2))) = max(x, 0) - z / 2 * erfc(z / sqrt(2)), z = |x|, where no digits
// cancel. The difference of -0 keeps the sign of a zero.
// z * P(-z), where P(-z), the normal distribution, is e^(-z^2 / 2) * p / (z + 4) with a polynomial
// p in (z - 4) / (z + 4). It was fitted for z up to 14.5, from where on the product is 0. The error
// of the square, which the power would multiply, is added to the exponent. The power is 2^rest
// times root^2: no factor is subnormal. (PTX ISA, ex2 and rcp)
__device__ __forceinline__ float gelu(const float x) {
    const float z = fminf(fabsf(x), 14.5f);
    float inverse, power;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(z + 4.0f));
    const float t = fmaf(-8.0f, inverse, 1.0f);
    float p = -0.00012298315f;
    p = fmaf(p, t, 0.00019480185f);
    p = fmaf(p, t, 0.0015693137f);
    p = fmaf(p, t, -0.003523574f);
    p = fmaf(p, t, -0.007527213f);
    p = fmaf(p, t, 0.06040647f);
    p = fmaf(p, t, -0.186523f);
    p = fmaf(p, t, 0.38713667f);
    p = fmaf(p, t, -0.6078966f);
    p = fmaf(p, t, 0.75528514f);
    const float square = z * z;
    const float n = fmaf(square, -0.7213475f, 25165824.0f);  // 2^24 + 2^23: a multiple of 2
    float rest = fmaf(square, -0.7213475f, 25165824.0f - n);
    rest = fmaf(square, -9.629815e-9f, rest);
    rest = fmaf(fmaf(z, z, -square), -0.7213475f, rest);
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(rest));
    const float root = __int_as_float((__float_as_int(n) << 23) + 0x3f800000);
    return x != x ? x : fmaf(-(p * inverse * power * z * root), root, fmaxf(x, -0.0f));
}

// x / 2 * (1 + erf(x / sqrt(2))) = max(x, 0) - z / 2 * erfc(z / sqrt(2)), z = |x|, where no digits
// cancel. The difference of -0 keeps the sign of a zero.
// The argument of erfc is y + rest: without rest its relative error would be multiplied by x^2.
// From 40 on erfc is 0.
__device__ __forceinline__ double gelu_f64(const double x) {
    const double z = fmin(fabs(x), 40.0);
    const double y = 0.7071067811865476 * z;
    const double rest = fma(0.7071067811865476, z, -y) - 4.833646656726457e-17 * z;
    const double tail = 0.5 * z * fma(-2.0 * y, rest, 1.0) * erfc(y);
    return x != x ? x : fmax(x, -0.0) - tail;
}
