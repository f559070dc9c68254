// Loads COUNT consecutive elements as the body's values, in words of at most ALIGN bytes; elements
// from `valid` on are not accessed and read as zero.
template <int ALIGN, int COUNT, class Value, class T>
__device__ __forceinline__ void load(Value (&values)[COUNT], const T* from, int valid) {
    constexpr int BYTES = COUNT * int(sizeof(T)), WORD = ALIGN < BYTES ? ALIGN : BYTES;
    typedef typename Word<WORD>::Type Words;
    if (valid == COUNT) {
        __align__(16) T elements[COUNT];
#pragma unroll
        for (int i = 0; i < BYTES / WORD; ++i) {
            reinterpret_cast<Words*>(elements)[i] = reinterpret_cast<const Words*>(from)[i];
        }
#pragma unroll
        for (int i = 0; i < COUNT; ++i) values[i] = to_value(elements[i]);
    } else {
#pragma unroll
        for (int i = 0; i < COUNT; ++i) values[i] = i < valid ? to_value(from[i]) : Value(0);
    }
}
