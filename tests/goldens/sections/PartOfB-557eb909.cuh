// What TileB has of a factor: PART_N columns of the product for each warp.
template <int FACTOR>
struct PartOfB : TileB {
    static constexpr int ROWS = BLK_N / PRODUCTS;
