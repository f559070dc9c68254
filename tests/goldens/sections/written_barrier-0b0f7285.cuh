    __device__ __forceinline__ unsigned written_barrier(unsigned stage) const {
        return written + stage * BARRIER_BYTES;
    }
};
typedef PipelineState<EPILOGUE_STAGES> EpilogueState;
