// What the results of the body are stored to, each value to its output.
struct Outputs {
    Output<f16, float, ALIGN_out1> out1;
