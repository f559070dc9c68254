// The two neighbours along n that a lane holds of row lane / 4 of an atom (band 0), or of the row
// 8 below (band 1). (PTX ISA, Matrix Fragments for mma.*, C)
struct alignas(2 * sizeof(Sum)) Pair { Sum first, second; };
__device__ __forceinline__ Pair pair(const unsigned (&c)[C_REGISTERS], int band) {
    const unsigned short first = c[band] & 0xffff, second = c[band] >> 16;
    return Pair{to_value(f16{first}), to_value(f16{second})};
}
