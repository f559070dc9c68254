// The two neighbours along n that a lane holds of row lane / 4 of an atom (band 0), or of the row
// 8 below (band 1). (PTX ISA, Matrix Fragments for mma.*, C)
struct alignas(2 * sizeof(Sum)) Pair { Sum first, second; };
__device__ __forceinline__ Pair pair(const Sum (&c)[C_REGISTERS], int band) {
    return Pair{c[2 * band], c[2 * band + 1]};
}
