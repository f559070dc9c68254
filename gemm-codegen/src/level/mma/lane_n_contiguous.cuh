// The lane's position in its warp.
// Eight consecutive lanes form 2 x 4, so that what they stage at a time, a run of each along n, is
// free of bank conflicts.
struct Lane { int m, n; };
__device__ __forceinline__ Lane lane() {
    const int number = threadIdx.x % 32;
    return Lane{number % 2 + number / 16 * 2, number / 2 % 8};
}
