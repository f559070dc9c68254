// What TileB has of a factor: PART_N columns of the product for each warp.
template <int FACTOR>
struct PartOfB : TileB {
#if K_CONTIGUOUS
    static constexpr int ROWS = BLK_N / PRODUCTS;
#else
    static constexpr int COLS = BLK_N / PRODUCTS;
#endif
    // Where column n of the factor's product lies among those of all products.
    static __device__ __forceinline__ int place(int n) {
        return (n / PART_N * PRODUCTS + FACTOR) * PART_N + n % PART_N;
    }
#if K_CONTIGUOUS
    static __device__ __forceinline__ int offset(int row, int col) {
        return TileB::offset(place(row), col);
    }
    static __device__ __forceinline__ int below(int above, int row, int col, int rows) {
        return ROWS == PART_N ? TileB::below(above, place(row), col, rows)
                              : offset(row + rows, col);
    }
#else
    static __device__ __forceinline__ int offset(int row, int col) {
        return TileB::offset(row, place(col));
    }
    static __device__ __forceinline__ int below(int above, int row, int col, int rows) {
        return TileB::below(above, row, place(col), rows);
    }
#endif
};
