// The scales of B: one for 1 x 128 of its lines and of k.
struct ScaledLinesB {
    typedef bf16 Element;
    static constexpr int LINES = 1, K = 128, COUNT = 2 * ATOMS_N / PRODUCTS;
    static constexpr bool K_CONTIGUOUS = true;
