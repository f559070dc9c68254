// The k-steps of a k-tile that are converted together.
constexpr int PARTS = STEPS_K / CONVERTED_STEPS;
