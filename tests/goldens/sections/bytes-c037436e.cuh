    // Bytes of a stage that are copied.
    __device__ __forceinline__ unsigned bytes() const {
        return (1) * EPILOGUE_TILE * sizeof(Staged);
    }
