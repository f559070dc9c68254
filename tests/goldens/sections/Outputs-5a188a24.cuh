// What the results of the body are stored to, each value to its output.
struct Outputs {
    Output<f32, float, ALIGN_out0> out0;
