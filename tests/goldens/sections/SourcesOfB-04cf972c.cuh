// A thread's positions in the factors of B from number FACTOR on.
template <int FACTOR>
struct SourcesOfB {
    Source<PartOfB<FACTOR>> source;
    SourcesOfB<FACTOR + 1> others;
