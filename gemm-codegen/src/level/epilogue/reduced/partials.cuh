// The partial values of outputs that are reduced to one index: of each output, for each part of the
// other index, one for each line, which is an element of the output. LINES of them are counted
// together.
template <int COUNT, int LINES>
struct Partials {
    Reducible* values;  // (COUNT, parts, lines)
    unsigned* arrivals;  // for each LINES lines; 0 before and after a launch
    int parts, lines;
    // Those of a matrix whose other index has `others` elements: PASSES for each PART of these.
    template <int PART, int PASSES>
    __device__ __forceinline__ static Partials of(
        void* values, unsigned* arrivals, long long matrix, int lines, int others) {
        const int parts = ((others - 1) / PART + 1) * PASSES;
        return {static_cast<Reducible*>(values) + matrix * COUNT * parts * lines,
                arrivals + matrix * ((lines - 1) / LINES + 1), parts, lines};
    }
    __device__ __forceinline__ Reducible* at(int number, int part, int line) const {
        return values + ((long long)number * parts + part) * lines + line;
    }
    __device__ __forceinline__ void put(int number, int part, int line, Reducible value) const {
        if (part < parts) *at(number, part, line) = value;
    }
};
