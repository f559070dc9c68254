    // Sets `results` to the body's value for COUNT elements of `row` from `col` on, whose
    // accumulators are `sums`; the first `valid` lie inside the output.
    template <int COUNT>
    __device__ __forceinline__ void apply(
        Result (&results)[COUNT], const Sums<COUNT>& sums, int row, int col, int valid) const {
        const auto at_bias = bias.read<COUNT>(row, col, valid);
        const auto at_exponents_a = exponents_a.read<COUNT>(row, col, valid);
        const auto at_exponents_b = exponents_b.read<COUNT>(row, col, valid);
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            results[i] = body(sums[i], at_bias[i], at_exponents_a[i], at_exponents_b[i]);
        }
    }
};
