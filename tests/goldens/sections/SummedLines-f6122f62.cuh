// B has offsets, which are multiplied by the sums of A's rows: of products by ones. All columns of
// an atom have the same sums.
struct SummedLines {
    typedef TileA Tile;
    static constexpr int ATOMS = ATOMS_M, REGISTERS = A_REGISTERS, BANDS = 2;

