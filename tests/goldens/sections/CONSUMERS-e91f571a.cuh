// The threads that multiply and store, the first of a block.
constexpr int CONSUMERS = 128 * GROUPS_M * GROUPS_N;
