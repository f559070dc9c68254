// The lane's position in its warp.
// Eight consecutive lanes form 4 x 2, so that what they stage at a time, a run of each along m, is
// free of bank conflicts.
struct Lane { int m, n; };
__device__ __forceinline__ Lane lane() {
    const int number = threadIdx.x % 32;
    return Lane{number % 2 + number / 4 % 2 * 2, number / 2 % 2 + number / 8 * 2};
}
