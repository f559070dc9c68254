    static constexpr __device__ int place(int half, int band) { return band * 2 + half; }
    static constexpr int TURNS = 2;  // bands whose lines take turns in a row
};
