// What the body reads beside the accumulator.
struct Values {
    VectorRun<f16, float> bias;
