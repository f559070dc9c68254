    // Brings COUNT elements of each matrix to its slab.
    template <int COUNT>
    __device__ __forceinline__ void fill(Staged* at, int row, int col, int valid) const {
        fetch_to_slab<ALIGN_residual, COUNT>(
            at, residual + row * ld_residual + col, valid);
    }
};
