// The part of the block tile of a warpgroup. They are numbered along m first.
__device__ __forceinline__ Warp warps_of(int number) {
    return Warp{number % GROUPS_M * GROUP_M, number / GROUPS_M % GROUPS_N * GROUP_N};
}
// That of the warp's group.
__device__ __forceinline__ Warp warps() { return warps_of(threadIdx.x / 128); }
