// What the body reads beside the accumulator.
struct Values {
    const f64* bias;
    double alpha;
