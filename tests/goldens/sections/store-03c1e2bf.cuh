    // Stores COUNT values of `row` from `col` on; the first `valid` lie inside.
    template <int COUNT, class Value>
    __device__ __forceinline__ void store(
        const Value (&values)[COUNT], int row, int col, int valid) const {
        ::store<ALIGN>(to + row * ld + col, values, valid);
    }
};
