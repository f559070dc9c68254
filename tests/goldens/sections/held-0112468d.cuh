    // Which of the lane's elements of an atom is that of its row (or column) i and of k.
    static __device__ __forceinline__ constexpr int held(int i, int k) { return k * LANE_M + i; }
};
