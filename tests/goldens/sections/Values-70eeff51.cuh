// What the body reads beside the accumulator.
struct Values {
    float alpha;
    float beta;
    MatrixRun<f32, ALIGN_out> out;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        Elements<f32, COUNT> out;
    };
