// What the body reads beside the accumulator.
struct Values {
    VectorSame<f32, float> bias;
