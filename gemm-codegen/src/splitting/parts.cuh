// The parts of four elements in one plane.
struct alignas(8) Parts { Part of[4]; };

// Stores the parts of four elements from k on: of each plane what the ones before it leave.
__device__ __forceinline__ void store(Part* row, int k, Four x) {
    Part* to = row + k / UNIT * (PLANES * UNIT) + k % UNIT;
#pragma unroll
    for (int plane = 0; plane < PLANES; ++plane, to += UNIT) {
        Parts parts;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            parts.of[i] = to_part(x.of[i]);
            x.of[i] -= to_float(parts.of[i]);
        }
        *reinterpret_cast<Parts*>(to) = parts;
    }
}
