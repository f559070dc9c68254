// What the body reads beside the accumulator.
struct Values {
    MatrixRun<bf16, ALIGN_residual> residual;
