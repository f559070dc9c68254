// COUNT elements of an operand, or their values: those of neighbours in a row of the output.
template <class T, int COUNT>
struct alignas(16) Elements {
    T of[COUNT];
    __device__ __forceinline__ T operator[](int i) const { return of[i]; }
};
