    static constexpr int ATOM_REGISTERS = 2, BANDS = 1;  // 8 rows of m (or n) each
    // Offset of the element at (mn, k), or `further` elements along m (or n) from it.
    static __device__ __forceinline__ int element(int mn, int k, int further) {
        return offset(k, mn + further & 0x1f);
    }
};
