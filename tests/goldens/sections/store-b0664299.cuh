    template <int COUNT>
    __device__ __forceinline__ void store(
        const Result (&results)[COUNT], int row, int col, int valid) const {
        out0.store<&Result::out0>(results, row, col, valid);
    }
};
