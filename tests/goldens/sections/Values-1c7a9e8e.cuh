// What the body reads beside the accumulator.
struct Values {
    VectorRun<f32, float, ALIGN_bias_q> bias_q;
