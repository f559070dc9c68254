// What the body reads beside the accumulator.
struct Values {
    float alpha;
    float beta;
    const f32* out;
    long long ld_out;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        __align__(16) f32 out[COUNT];
    };
