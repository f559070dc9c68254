    // Reads COUNT elements from `col` on; those from `valid` on are not accessed and read as zero.
    template <int COUNT>
    __device__ __forceinline__ void read(
        Elements<T, COUNT>& elements, int, int col, int valid) const {
        fetch<ALIGN>(elements.of, from + col, valid);
    }
};
