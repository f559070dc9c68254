// What TileB has of a factor: for each warp, rows of elements with PART_N columns of the product.
template <int FACTOR>
struct PartOfB : TileB {
    static constexpr int ROWS = BLK_N / LINES / PRODUCTS, PART = PART_N / LINES;

    // Where a row of the factor lies among those of all products.
    static __device__ __forceinline__ int place(int row) {
        return (row / PART * PRODUCTS + FACTOR) * PART + row % PART;
    }
    static __device__ __forceinline__ int offset(int row, int col) {
        return TileB::offset(place(row), col);
    }
    static __device__ __forceinline__ int below(int above, int row, int col, int rows) {
        return ROWS == PART ? TileB::below(above, place(row), col, rows) : offset(row + rows, col);
    }
};
