// The part of the block tile of a warpgroup. They are numbered along m first.
__device__ __forceinline__ Warpgroup warpgroup_of(int number) {
    return Warpgroup{number % GROUPS_M * GROUP_M, number / GROUPS_M % GROUPS_N * GROUP_N};
}
