// CuTe's Swizzle<B, M, S>: bits M + S .. M + S + B of an offset, in elements, are xored into bits
// M .. M + B.
template <int B, int M, int S>
struct Swizzle {
    static constexpr int SPAN = B == 0 ? 1 : 1 << (M + S + B);  // the pattern repeats after these
    static constexpr int CHANGED = 1 << (M + B);  // bits below this one change
