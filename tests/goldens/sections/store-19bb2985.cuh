    template <int COUNT>
    __device__ __forceinline__ void store(
        const Result (&results)[COUNT], int row, int col, int valid) const {
        out1.store<&Result::out1>(results, row, col, valid);
    }
};
