// The scales of the second factors of all products, whose columns lie next to each other in a
// warp: those of the first product, then those of the others.
template <class OfProduct>
struct ScalesOfProducts {
    static constexpr int COUNT = 2 * ATOMS_N / PRODUCTS;  // of a lane for a product

    OfProduct of[PRODUCTS];

    __device__ __forceinline__ void advance(int by) {
#pragma unroll
        for (int product = 0; product < PRODUCTS; ++product) of[product].advance(by);
    }

    __device__ __forceinline__ Sum value(int i) const { return of[i / COUNT].value(i % COUNT); }
    __device__ __forceinline__ Sum offset(int i) const { return of[i / COUNT].offset(i % COUNT); }
};
