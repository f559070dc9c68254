// One of several outputs, of values of type V, whose rows are ALIGN bytes at least from one
// another.
template <class T, class V, int ALIGN>
struct Output {
    T* to;
    long long ld;
    // Stores this member of COUNT results of `row` from `col` on; the first `valid` lie inside.
    template <V Result::*MEMBER, int COUNT>
    __device__ __forceinline__ void store(
        const Result (&results)[COUNT], int row, int col, int valid) const {
        V values[COUNT];
#pragma unroll
        for (int i = 0; i < COUNT; ++i) values[i] = results[i].*MEMBER;
        ::store<ALIGN>(to + row * ld + col, values, valid);
    }
};
