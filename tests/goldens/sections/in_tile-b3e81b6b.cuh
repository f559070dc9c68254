// The values, of type V, of COUNT elements of a matrix that are in an epilogue tile; zeros if a
// launch does not read it.
template <class T, class V, int COUNT>
__device__ __forceinline__ Elements<V, COUNT> in_tile(const Staged* tile, bool is_read = true) {
    Elements<V, COUNT> values;
    load<16>(values.of, reinterpret_cast<const T*>(tile), is_read ? COUNT : 0);
    return values;
}
