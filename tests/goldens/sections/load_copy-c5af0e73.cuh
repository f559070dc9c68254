// Loads one copy in words of LOAD_BYTES bytes. Words from element `valid` on become zero; no word
// crosses the operand's edge, since ALIGN divides its rows.
template <class Tile>
__device__ __forceinline__ void load_copy(
    unsigned (&words)[Held<Tile>::COPY_WORDS], const typename Tile::Element* from, int valid) {
    constexpr int LOADS = Tile::COPY_BYTES / Tile::LOAD_BYTES;
    constexpr int ELEMENTS = Tile::LOAD_BYTES / int(sizeof(*from));  // of a load
    typedef typename Word<Tile::LOAD_BYTES>::Type Load;
    const Load* const loads = reinterpret_cast<const Load*>(from);
    if constexpr (Tile::LOAD_BYTES >= 4) {
        __align__(16) Load loaded[LOADS] = {};
#pragma unroll
        for (int i = 0; i < LOADS; ++i) {
            if (i * ELEMENTS < valid) loaded[i] = loads[i];
        }
#pragma unroll
        for (int i = 0; i < Held<Tile>::COPY_WORDS; ++i) {
            words[i] = reinterpret_cast<const unsigned*>(loaded)[i];
        }
    } else {  // several loads make a word
        constexpr int PACKED = 4 / Tile::LOAD_BYTES;
#pragma unroll
        for (int i = 0; i < Held<Tile>::COPY_WORDS; ++i) words[i] = 0;
#pragma unroll
        for (int i = 0; i < LOADS; ++i) {
            const unsigned bits = i * ELEMENTS < valid ? loads[i] : 0;
            words[i / PACKED] |= bits << (i % PACKED * Tile::LOAD_BYTES * 8);
        }
    }
}
