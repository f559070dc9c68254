    template <int COUNT>
    __device__ __forceinline__ Same<V> read(int row, int, int) const {
        return Same<V>{to_value(from[row])};
    }
};
