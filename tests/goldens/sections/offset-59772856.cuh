    // Offset of an element from the start of a stage, in bytes.
    static __device__ __forceinline__ int offset(int row, int col) {
        return col * PITCH + row * int(sizeof(Element));
    }
