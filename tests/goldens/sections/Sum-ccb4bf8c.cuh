typedef float Sum;  // of an accumulator; as it is staged and as the body takes it
typedef Sum Accumulators[ATOMS_M][ATOMS_N][C_REGISTERS];  // of a lane
struct Matrix { int i0, i1; };  // of a batch, by the values of its indices
struct Counts {  // values of all indices but the outermost
    int i1;
    __device__ __forceinline__ Matrix matrix(int number) const {
        return {number / i1, number % i1};
    }
};
struct Block { Matrix batch; int m, n; };  // matrix of a block tile, its first row and column
struct Warp { int m, n, k; };  // first row, column and k of a warp's tile in the block's
