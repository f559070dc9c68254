// x / 2 * (1 + erf(x / sqrt(2))) = max(x, 0) - z / 2 * erfc(z / sqrt(2)), z = |x|, where no digits
// cancel. The difference of -0 keeps the sign of a zero.
// For results that are stored in 16 bits: z * P(-z), where P, the normal distribution, is 2^p. The
// polynomial p was fitted for z up to 13.3, from where on P is 0 here.
__device__ __forceinline__ float gelu(const float x) {
    const float z = fminf(fabsf(x), 13.3f);
    float p = 3.494982e-8f;
    p = fmaf(p, z, -2.132255e-6f);
    p = fmaf(p, z, 5.5852255e-5f);
    p = fmaf(p, z, -8.317264e-4f);
    p = fmaf(p, z, 7.925746e-3f);
    p = fmaf(p, z, -5.2351166e-2f);
    p = fmaf(p, z, -0.46052665f);
    p = fmaf(p, z, -1.1502422f);
    p = fmaf(p, z, -1.0000908f);
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(p));  // (PTX ISA, ex2)
    return x != x ? x : fmaf(-z, power, fmaxf(x, -0.0f));
}
