// x * tanh(softplus(x)). Of e^x = p / q the hyperbolic tangent is p * n / (p * n + 2 * q^2) with
// n = p + 2 * q; one of p and q is 1, the other e^-|x|. The factor x is kept finite: -inf * 0 would
// be NaN. Below 0 it is multiplied by the root of p twice: p would be subnormal before the product.
__device__ __forceinline__ float mish(const float x) {
    const float root = expf(-0.5f * fabsf(x));
    const float finite = fmaxf(x, -3.4028235e38f);
    const float p = x < 0.0f ? root * root : 1.0f;
    const float q = x < 0.0f ? 1.0f : root * root;
    const float n = p + 2.0f * q;
    const float top = (x < 0.0f ? finite * root * root : finite) * n;
    // The divisor is between 1 and 5.
    return __fdividef(top, p * n + 2.0f * q * q);
}

// x * tanh(softplus(x)). Of e^x = p / q the hyperbolic tangent is p * n / (p * n + 2 * q^2) with
// n = p + 2 * q; one of p and q is 1, the other e^-|x|. The factor x is kept finite: -inf * 0 would
// be NaN. Below 0 it is multiplied by the root of p twice: p would be subnormal before the product.
__device__ __forceinline__ double mish_f64(const double x) {
    const double root = exp(-0.5 * fabs(x));
    const double finite = fmax(x, -1.7976931348623157e308);
    const double p = x < 0.0 ? root * root : 1.0;
    const double q = x < 0.0 ? 1.0 : root * root;
    const double n = p + 2.0 * q;
    const double top = (x < 0.0 ? finite * root * root : finite) * n;
    return top * (1.0 / (p * n + 2.0 * q * q));
}
