    static __device__ __forceinline__ int offset(int row, int col) {
        return TileB::offset(place(row), col);
    }
