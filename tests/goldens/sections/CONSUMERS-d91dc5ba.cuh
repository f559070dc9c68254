// The threads that multiply and store: two warpgroups, the first of a block, which take turns.
constexpr int CONSUMERS = 2 * 128;
