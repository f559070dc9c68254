// The scales of the second factors of all products, whose columns lie next to each other in a
// warp: those of the first product, then those of the others.
template <class OfProduct>
struct ScalesOfProducts {
    static constexpr int COUNT = 2 * ATOMS_N / PRODUCTS;  // of a lane for a product

    OfProduct of[PRODUCTS];

