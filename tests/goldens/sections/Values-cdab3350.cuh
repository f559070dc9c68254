// What the body reads beside the accumulator.
struct Values {
    const f32* scale;
