// What the body reads beside the accumulator.
struct Values {
    const f32* bias;
    const f16* residual;
    long long ld_residual;
    // Of these, what the body takes for COUNT elements of a row.
    template <int COUNT> struct Read {
        __align__(16) f32 bias[COUNT];
        __align__(16) f16 residual[COUNT];
    };
