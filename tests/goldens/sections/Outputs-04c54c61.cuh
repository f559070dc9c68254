// What the results of the body are stored to, each value to its output.
struct Outputs {
    Output<bf16, float, ALIGN_out0> out0;
