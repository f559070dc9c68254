// What the body reads beside the accumulator.
struct Values {
    VectorSame<bf16, float> bias;
