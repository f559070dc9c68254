// What the body reads beside the accumulator.
struct Values {
    const bf16* bias;
    float scale_a;
    float scale_b;
    float scale_out;
