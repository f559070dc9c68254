// What the body reads beside the accumulator.
struct Values {
    const f16* bias;
