// The k-tiles of a tile of the output.
__device__ __forceinline__ int k_tiles(int k) { return (k + BLK_K - 1) / BLK_K; }

// Of a pipeline of COUNT stages: the stage that comes next, and the parity of the phase of its
// barrier to wait for.
template <int COUNT>
struct PipelineState {
    unsigned stage, phase;
    __device__ __forceinline__ void advance() {
        if (++stage == COUNT) stage = 0, phase ^= 1;
    }
};
