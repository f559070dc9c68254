// out[i] = f(x[i]) or f(x[i], y[i]), one kernel a function.
#define ONE(name, expression)                                                              \
  extern "C" __global__ void f_##name(const float* x, const float*, float* out, int n) {    \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                   \
    if (i < n) { const float a = x[i]; out[i] = expression; }                               \
  }
#define TWO(name, expression)                                                              \
  extern "C" __global__ void f_##name(const float* x, const float* y, float* out, int n) {  \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                   \
    if (i < n) { const float a = x[i], b = y[i]; out[i] = expression; }                     \
  }
ONE(expf, expf(a)) ONE(exp2f, exp2f(a)) ONE(expm1f, expm1f(a)) ONE(logf, logf(a)) ONE(log2f, log2f(a)) ONE(log1pf, log1pf(a))
ONE(erff, erff(a)) ONE(erfcf, erfcf(a)) ONE(tanhf, tanhf(a)) ONE(sinf, sinf(a)) ONE(cosf, cosf(a)) ONE(tanf, tanf(a))
ONE(sinhf, sinhf(a)) ONE(cbrtf, cbrtf(a)) ONE(lgammaf, lgammaf(a)) ONE(rsqrtf, rsqrtf(a)) ONE(fast_exp, __expf(a))
ONE(fast_log, __logf(a)) ONE(fast_sin, __sinf(a))
ONE(sqrtf, sqrtf(a)) ONE(reciprocal, 1.0f / a) ONE(roundf, roundf(a)) ONE(rintf, rintf(a)) ONE(floorf, floorf(a)) ONE(ceilf, ceilf(a))
ONE(truncf, truncf(a)) ONE(saturate, __saturatef(a)) ONE(fabsf, fabsf(a)) ONE(through_double, (float)(sqrt((double)a) / 3.0))
TWO(powf, powf(a, b)) TWO(atan2f, atan2f(a, b)) TWO(hypotf, hypotf(a, b)) TWO(fdividef, __fdividef(a, b)) TWO(divide, a / b)
TWO(fmodf, fmodf(a, b)) TWO(copysignf, copysignf(a, b)) TWO(fminf, fminf(a, b)) TWO(fmaxf, fmaxf(a, b)) TWO(fmaf, fmaf(a, b, 0.75f))
TWO(add, a + b) TWO(subtract, a - b) TWO(multiply, a * b)
TWO(add_down, __fadd_rd(a, b)) TWO(multiply_up, __fmul_ru(a, b)) TWO(divide_zero, __fdiv_rz(a, b)) TWO(fma_down, __fmaf_rd(a, b, 0.75f))
ONE(sqrt_up, __fsqrt_ru(a))
