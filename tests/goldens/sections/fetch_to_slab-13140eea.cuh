// Brings COUNT consecutive elements of a matrix to a slab, read in words of at most ALIGN bytes;
// elements from `valid` on are not accessed and become zero.
template <int ALIGN, int COUNT, class T>
__device__ __forceinline__ void fetch_to_slab(void* slab, const T* from, int valid) {
    __align__(16) T elements[COUNT];
    fetch<ALIGN>(elements, from, valid);
    typedef typename Word<COUNT * int(sizeof(T))>::Type Words;
    *static_cast<Words*>(slab) = *reinterpret_cast<const Words*>(elements);
}
