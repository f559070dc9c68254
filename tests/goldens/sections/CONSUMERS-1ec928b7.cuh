// The threads that multiply and store, the first of a block.
constexpr int CONSUMERS = 2 * 128;
