    // The value of `row`, or zero if that is not before `rows`.
    template <int COUNT>
    __device__ __forceinline__ Same<V> read(int row, int, int rows, int) const {
        return Same<V>{row < rows ? to_value(from[row]) : V(0)};
    }
};
