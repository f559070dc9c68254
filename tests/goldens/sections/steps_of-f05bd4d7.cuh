__device__ __forceinline__ Steps steps_of(int step) {
    constexpr Steps OF_UNIT[] = {{0, 4}, {1, 5}, {4, 0}, {5, 1}, {2, 2}, {3, 3}, {0, 2}, {1, 3}, {2,
        0}, {3, 1}, {0, 0}, {1, 1}};
    const int first = step / 12 * (UNIT / MMA_K);
    return {first + OF_UNIT[step % 12].a, first + OF_UNIT[step % 12].b};
}
