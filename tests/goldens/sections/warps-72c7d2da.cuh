// The part of the block tile of the warp's group. Warpgroups are numbered along m first.
__device__ __forceinline__ Warp warps() {
    const int number = threadIdx.x / 128;
    return Warp{number % GROUPS_M * GROUP_M, number / GROUPS_M % GROUPS_N * GROUP_N};
}
