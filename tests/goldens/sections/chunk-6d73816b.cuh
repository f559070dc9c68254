    __device__ __forceinline__ Chunk chunk(int at_row, int at_col) const {
        return chunk_of(at_row * ROW_CHUNKS + at_col / OUT_VECTOR, tile());
    }
