// The scales of A: one for 1 x 32 of its lines and of k.
struct ScaledLinesA {
    typedef f32 Element;
    static constexpr int LINES = 1, K = 32, COUNT = 2 * ATOMS_M;
    static constexpr bool K_CONTIGUOUS = true;
