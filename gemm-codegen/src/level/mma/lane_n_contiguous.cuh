// The lane's place among those of the warp. Eight in a row lie 2 x 4: what they stage together, a
// run of each along n, meets no bank twice.
struct Lane { int m, n; };
__device__ __forceinline__ Lane lane() {
    const int number = threadIdx.x % 32;
    return Lane{number % 2 + number / 16 * 2, number / 2 % 8};
}
