// Rounds and stores COUNT consecutive elements, in words of at most ALIGN bytes; elements from
// `valid` on are not accessed.
template <int ALIGN, int COUNT, class Value, class T>
__device__ __forceinline__ void store(T* to, const Value (&values)[COUNT], int valid) {
    constexpr int BYTES = COUNT * int(sizeof(T)), WORD = ALIGN < BYTES ? ALIGN : BYTES;
    typedef typename Word<WORD>::Type Words;
    __align__(16) T elements[COUNT];
#pragma unroll
    for (int i = 0; i < COUNT; ++i) from_value(elements[i], values[i]);
    if (valid == COUNT) {
#pragma unroll
        for (int i = 0; i < BYTES / WORD; ++i) {
            reinterpret_cast<Words*>(to)[i] = reinterpret_cast<const Words*>(elements)[i];
        }
    } else {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) {
            if (i < valid) to[i] = elements[i];
        }
    }
}
