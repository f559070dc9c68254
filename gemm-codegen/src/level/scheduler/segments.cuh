// The columns of several products, whose tiles follow each other along n: those of the first
// product, then those of the next one.
struct Segments {
    int n[SEGMENTS];
    static __device__ __forceinline__ int whole(int n) { return (n + BLK_N - 1) / BLK_N * BLK_N; }
    // The columns of all tiles.
    __device__ __forceinline__ int columns() const {
        int all = 0;
#pragma unroll
        for (int segment = 0; segment < SEGMENTS; ++segment) all += whole(n[segment]);
        return all;
    }
    // A tile among those of all, as one of its product.
    __device__ __forceinline__ Block place(Block block) const {
        block.segment = 0;
#pragma unroll
        for (int segment = 0; segment < SEGMENTS - 1; ++segment) {
            const int columns = whole(n[segment]);
            if (block.segment == segment && block.n >= columns) {
                block.n -= columns;
                block.segment = segment + 1;
            }
        }
        return block;
    }
};
// What the product of this number has, of what each has.
template <class T>
__device__ __forceinline__ T of_segment(int, T last) { return last; }
template <class T, class... Others>
__device__ __forceinline__ T of_segment(int segment, T first, Others... others) {
    return segment == 0 ? first : of_segment<T>(segment - 1, others...);
}
