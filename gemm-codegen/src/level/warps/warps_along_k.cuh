// The warp's part of the block tile. Warps are numbered along m first, along k last.
__device__ __forceinline__ Warp warps() {
    const int number = threadIdx.x / 32, along_n = number / WARPS_M, along_k = along_n / WARPS_N;
    return Warp{number % WARPS_M * WARP_M, along_n % WARPS_N * WARP_N, along_k * WARP_K};
}
