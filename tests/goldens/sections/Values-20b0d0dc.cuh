// What the body reads beside the accumulator.
struct Values {
    VectorRun<f32, ALIGN_bias> bias;
    MatrixRun<f16, ALIGN_residual> residual;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        Elements<f32, COUNT> bias;
        Elements<f16, COUNT> residual;
    };
