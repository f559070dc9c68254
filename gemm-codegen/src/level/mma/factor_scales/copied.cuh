// Scales that the lane's warp copies: those of its lines, several of each for a k-tile. They lie
// line after line as they do in memory.
template <class Of>
struct CopiedScales : LineScales<Of> {
    typedef LineScales<Of> Lines;
    typedef typename Lines::Element Element;
    static constexpr int PARTS = Lines::PARTS, COPY_BYTES = sizeof(Element);
    static constexpr int LINE_BYTES = PARTS * COPY_BYTES;
    static constexpr int VECTOR_BYTES = LINE_BYTES < 16 ? LINE_BYTES : 16;
    static constexpr int BYTES = GROUP_M * LINE_BYTES;  // of a warpgroup in a stage

    const Element* first;
    long long ld;
    int mn0, mn;  // the warpgroup's first line, all lines

    __device__ __forceinline__ CopiedScales(
        const Element* first, long long ld, int mn0, int mn)
        : first(first), ld(ld), mn0(mn0), mn(mn) {}

    // Begins to copy those of the k-tile at `k`; `to` has those of the warpgroup.
    __device__ __forceinline__ void copy(unsigned to, int k, int end) const {
        const int warp = threadIdx.x % 128 / 32 * 16;  // its first line
#pragma unroll
        for (int i = 0; i < ATOMS_M * 16 * PARTS / 32; ++i) {
            const int number = i * 32 + threadIdx.x % 32;
            const int part = number % PARTS, of_warp = number / PARTS;
            const int line = of_warp / 16 * MMA_M + warp + of_warp % 16, at_k = k + part * Of::K;
            cp_async_ca<CopiedScales>(
                to + line * LINE_BYTES + part * COPY_BYTES,
                first + (mn0 + line) * ld + at_k / Of::K, mn0 + line < mn && at_k < end);
        }
    }

    // Loads those of the lane's lines.
    __device__ __forceinline__ void load(unsigned from) {
#pragma unroll
        for (int i = 0; i < Of::COUNT; ++i) {
            unsigned words[PARTS];
#pragma unroll
            for (int part = 0; part < PARTS; part += VECTOR_BYTES / COPY_BYTES) {
                load_shared<CopiedScales>(
                    &words[part], from + Of::line(i) * LINE_BYTES + part * COPY_BYTES);
            }
#pragma unroll
            for (int part = 0; part < PARTS; ++part) {
                this->loaded[part][i] = __uint_as_float(words[part]);
            }
        }
    }
};
