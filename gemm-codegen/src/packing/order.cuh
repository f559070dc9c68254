// x is cut into blocks of 16 rows x 32 bytes. For each of them packed has 32 elements of a row, one
// for each lane.
typedef unsigned char Byte;
const int LINES = 16, LANES = 32;
const int ELEMENT = 16;  // bytes of an element of packed
const int OF_BYTE = 8 / BITS, OF_HALF = 16 / BITS;  // numbers of a byte, of half a word
const int STEPS = LANES * OF_BYTE / 16;  // k-steps of a block
const unsigned MASK = (1 << BITS) - 1;

// The first bit of a number in the element of its lane. A k-step has four registers of two numbers,
// neighbours along K; the second of them lies 16 bits above the first.
__device__ __forceinline__ int bit_of(int step, int reg, int second) {
    const int slot = step * 4 + reg;
    return slot / OF_HALF * 32 + second * 16 + slot % OF_HALF * BITS;
}
