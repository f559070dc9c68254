__device__ __forceinline__ Steps steps_of(int step) {
    constexpr Steps OF_UNIT[] = {{0, 2}, {1, 3}, {2, 0}, {3, 1}, {0, 0}, {1, 1}};
    const int first = step / 6 * (UNIT / MMA_K);
    return {first + OF_UNIT[step % 6].a, first + OF_UNIT[step % 6].b};
}
