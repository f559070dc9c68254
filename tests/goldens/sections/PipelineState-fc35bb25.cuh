// Of a pipeline of COUNT stages: the stage that comes next, and the parity of the phase of its
// barrier to wait for.
template <int COUNT>
struct PipelineState {
    unsigned stage, phase;
