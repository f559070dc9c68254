    // Stores COUNT results of `row` from `col` on, each value to its output; the first `valid`
    // lie inside.
    template <int COUNT>
    __device__ __forceinline__ void store(
        const Result (&results)[COUNT], int row, int col, int valid) const {
        float of_out0[COUNT];
        float of_out1[COUNT];
        float of_out2[COUNT];
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            of_out0[i] = results[i].out0;
            of_out1[i] = results[i].out1;
            of_out2[i] = results[i].out2;
        }
        ::store<ALIGN_out0>(out0 + row * ld_out0 + col, of_out0, valid);
        ::store<ALIGN_out1>(out1 + row * ld_out1 + col, of_out1, valid);
        ::store<ALIGN_out2>(out2 + row * ld_out2 + col, of_out2, valid);
    }
};
