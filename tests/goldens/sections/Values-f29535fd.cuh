// What the body reads beside the accumulator.
struct Values {
    const bf16* residual;
    long long ld_residual;
