// What the body reads beside the accumulator.
struct Values {
    VectorRun<bf16, float> bias;
