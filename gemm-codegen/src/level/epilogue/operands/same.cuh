// The element of an operand that all neighbours in a row of the output have, or its value.
template <class T>
struct Same {
    T of_all;
    __device__ __forceinline__ T operator[](int) const { return of_all; }
};
