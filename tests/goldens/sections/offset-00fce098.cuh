    // Offset of an element from the start of a stage, in bytes. A swizzle that stays inside a row
    // xors the column alone: the compiler folds the rest into the instructions.
    static __device__ __forceinline__ int offset(int row, int col) {
        const int linear = row * COLS + col;
        if constexpr (COLS % S::CHANGED == 0) {
            return int(sizeof(Element)) * (row * COLS + (col ^ S::bits(linear)));
        } else {
            return int(sizeof(Element)) * (linear ^ S::bits(linear));
        }
    }
