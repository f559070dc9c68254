    __device__ __forceinline__ void put(int number, int part, int line, Reducible value) const {
        if (part < parts) *at(number, part, line) = value;
    }
};


// What each row of the output is reduced to: out1 is its sum.
struct RowReductions {
    static constexpr int COUNT = 1;
    static constexpr int LINES = 64, ACROSS = 64;  // of a part of the output
    Partials<COUNT, LINES> partials;
    f32* out1;
