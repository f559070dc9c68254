// The two neighbours along n that a lane holds of row lane / 4 of an atom, or (band 1) of the row
// 8 below: the halves of one register. (PTX ISA, Matrix Fragments for mma.*, C of .f16)
struct alignas(2 * sizeof(Sum)) Pair { Sum first, second; };
__device__ __forceinline__ Pair pair(const unsigned (&c)[C_REGISTERS], int band) {
    const unsigned short first = c[band] & 0xffff, second = c[band] >> 16;
    return Pair{to_value(f16{first}), to_value(f16{second})};
}
