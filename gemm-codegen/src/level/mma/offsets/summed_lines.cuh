#if OF_A
// A has offsets, which are multiplied by the sums of B's columns: of products by ones. All rows of
// an atom have the same sums.
struct SummedLines {
    typedef TileB Tile;
    static constexpr int ATOMS = ATOMS_N, REGISTERS = B_REGISTERS, BANDS = 1;

    // sums(MMA_M x MMA_N) += ones(MMA_M x k) * b(k x MMA_N), by one instruction
    static __device__ __forceinline__ void add(Sum (&sums)[C_REGISTERS], const unsigned* b) {
        const unsigned ones[4] = {ONES, ONES, ONES, ONES};
        mma_atom(sums, ones, b);
    }
};
#else
// B has offsets, which are multiplied by the sums of A's rows: of products by ones. All columns of
// an atom have the same sums.
struct SummedLines {
    typedef TileA Tile;
    static constexpr int ATOMS = ATOMS_M, REGISTERS = A_REGISTERS, BANDS = 2;

    // sums(MMA_M x MMA_N) += a(MMA_M x k) * ones(k x MMA_N), by one instruction
    static __device__ __forceinline__ void add(Sum (&sums)[C_REGISTERS], const unsigned* a) {
        const unsigned ones[2] = {ONES, ONES};
        mma_atom(sums, a, ones);
    }
};
#endif

typedef Sum LineSums[SummedLines::ATOMS][C_REGISTERS];  // as the sums of an atom lie in a lane
