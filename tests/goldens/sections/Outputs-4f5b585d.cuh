// What the results of the body are stored to.
struct Outputs {
    f32* out0;
    long long ld_out0;
    f16* out1;
    long long ld_out1;
