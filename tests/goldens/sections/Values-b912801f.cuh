// What the body reads beside the accumulator.
struct Values {
