    __device__ __forceinline__ void read(Same<T>& element, int row, int, int) const {
        element.of_all = from[row];
    }
};
