// acc += the sums with their scales and offsets; the sums begin again.
__device__ __forceinline__ void scale(
    Accumulators& acc, SumsOfTile& sums, ScalesA& scales_a, ScalesB& scales_b) {
#pragma unroll
    for (int i = 0; i < ATOMS_M; ++i) {
#pragma unroll
        for (int j = 0; j < ATOMS_N; ++j) {
#pragma unroll
            for (int c = 0; c < C_REGISTERS; ++c) {
                const int row = 2 * i + c / 2, column = 2 * j + c % 2;  // of the lane's
                const Sum of_a = scales_a.value(row), of_b = scales_b.value(column);
                Sum& sum = sums.products[i][j][c];
                acc[i][j][c] = add_scaled(
                    acc[i][j][c], sum, sums.lines[i][c], scales_b.offset(column), of_b, of_a);
                sum = 0;
            }
        }
    }
#pragma unroll
    for (int i = 0; i < SummedLines::ATOMS; ++i) {
#pragma unroll
        for (int c = 0; c < C_REGISTERS; ++c) sums.lines[i][c] = 0;
    }
}
