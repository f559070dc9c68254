__device__ __forceinline__ Steps steps_of(int step) {
    constexpr Steps OF_UNIT[] = {{0, 8}, {1, 9}, {2, 10}, {3, 11}, {8, 0}, {9, 1}, {10, 2}, {11, 3},
        {4, 4}, {5, 5}, {6, 6}, {7, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}, {4, 0}, {5, 1}, {6, 2}, {7,
        3}, {0, 0}, {1, 1}, {2, 2}, {3, 3}};
    const int first = step / 24 * (UNIT / MMA_K);
    return {first + OF_UNIT[step % 24].a, first + OF_UNIT[step % 24].b};
}
