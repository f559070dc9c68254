// The lane's place among those of the warp. Eight in a row lie 4 x 2: what they stage together, a
// run of each along m, meets no bank twice.
struct Lane { int m, n; };
__device__ __forceinline__ Lane lane() {
    const int number = threadIdx.x % 32;
    return Lane{number % 2 + number / 4 % 2 * 2, number / 2 % 2 + number / 8 * 2};
}
