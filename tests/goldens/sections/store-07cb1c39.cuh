    template <int COUNT>
    __device__ __forceinline__ void store(
        const Result (&results)[COUNT], int row, int col, int valid) const {
        out0.store<&Result::out0>(results, row, col, valid);
        out1.store<&Result::out1>(results, row, col, valid);
        out2.store<&Result::out2>(results, row, col, valid);
    }
};
