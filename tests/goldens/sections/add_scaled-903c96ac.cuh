// acc + the products of a tile's factors w and x, where w is w * own + offset and x has the scale
// `other`: `sum` is the sum of w * x, `line` that of x.
__device__ __forceinline__ Sum add_scaled(
    Sum acc, Sum sum, Sum line, Sum offset, Sum own, Sum other) {
    return __fmaf_rn(line, offset * other, __fmaf_rn(sum, own * other, acc));
}
