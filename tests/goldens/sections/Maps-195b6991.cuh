// What the body reads and the output, as the copy unit moves them.
struct Maps {
    const TensorMap &residual, &out;
