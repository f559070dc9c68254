// What the body reads and the output, as the copy unit copies them.
struct Maps {
    const TensorMap &residual, &out;
