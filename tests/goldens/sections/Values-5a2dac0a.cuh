// What the body reads beside the accumulator.
struct Values {
    VectorSame<f64, double> bias;
    double alpha;
