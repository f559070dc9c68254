// Reduces each row of what is stored to a value of each output: threads leave what OUT_VECTOR
// elements are reduced to in place of their sums, and one thread reduces a row of these.
template <class Of>
struct Rows {
    static_assert(Of::COUNT * sizeof(Reducible) <= OUT_VECTOR * sizeof(Sum),
                  "what elements are reduced to has the place of their sums");
    static_assert(StagedTile::ROW_PASSES == 1 || StagedTile::ROWS <= StagedTile::THREADS,
                  "a thread keeps its row");
    Of of;
    Reducible carried[Of::COUNT];  // from the passes before that have the same rows

