// The warp's part of the block tile. Warps are numbered along m first.
__device__ __forceinline__ Warp warps() {
    const int number = threadIdx.x / 32;
    return Warp{number % WARPS_M * WARP_M, number / WARPS_M * WARP_N, 0};
}
