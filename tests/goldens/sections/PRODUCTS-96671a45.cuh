// BLK_N has the columns of all products: PART_N of each in turn.
constexpr int PRODUCTS = 2, PART_N = WARP_N / PRODUCTS;
