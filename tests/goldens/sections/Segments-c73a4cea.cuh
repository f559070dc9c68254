// The columns of several products, whose tiles follow each other along n: those of the first
// product, then those of the next one.
struct Segments {
    int n[SEGMENTS];
    static __device__ __forceinline__ int whole(int n) { return (n + BLK_N - 1) / BLK_N * BLK_N; }
