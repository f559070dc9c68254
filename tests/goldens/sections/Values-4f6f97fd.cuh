// What the body reads beside the accumulator.
struct Values {
    VectorSame<i32, int> exponents_a;
    VectorRun<i32, int> exponents_b;
