// The values, of type V, of COUNT elements of a matrix that are in an epilogue tile; zeros if a
// launch does not read it.
template <class T, class V, int COUNT>
__device__ __forceinline__ Elements<V, COUNT> in_tile(const Staged* tile, bool is_read = true) {
    Elements<V, COUNT> values;
    load<16>(values.of, reinterpret_cast<const T*>(tile), is_read ? COUNT : 0);
    return values;
}

// Brings COUNT elements of a matrix to an epilogue tile.
template <int COUNT, class T, int ALIGN>
__device__ __forceinline__ void fill_tile(
    Staged* tile, const MatrixRun<T, ALIGN>& matrix, int row, int col, int valid) {
    Elements<T, COUNT> elements;
    matrix.read(elements, row, col, valid);
    typedef typename Word<COUNT * int(sizeof(T))>::Type Words;
    *reinterpret_cast<Words*>(tile) = *reinterpret_cast<const Words*>(elements.of);
}
