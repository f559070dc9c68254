// Stages sums, as they are.
struct PutSums {
