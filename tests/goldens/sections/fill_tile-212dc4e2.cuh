// Brings COUNT elements of a matrix to an epilogue tile.
template <int COUNT, class T, int ALIGN>
__device__ __forceinline__ void fill_tile(
    Staged* tile, const MatrixRun<T, ALIGN>& matrix, int row, int col, int valid) {
    Elements<T, COUNT> elements;
    matrix.read(elements, row, col, valid);
    typedef typename Word<COUNT * int(sizeof(T))>::Type Words;
    *reinterpret_cast<Words*>(tile) = *reinterpret_cast<const Words*>(elements.of);
}
