    // Those of a matrix whose other index has `others` elements: PASSES for each PART of these.
    template <int PART, int PASSES>
    __device__ __forceinline__ static Partials of(
        void* values, unsigned* arrivals, long long matrix, int lines, int others) {
        const int parts = ((others - 1) / PART + 1) * PASSES;
        return {static_cast<Reducible*>(values) + matrix * COUNT * parts * lines,
                arrivals + matrix * ((lines - 1) / LINES + 1), parts, lines};
    }
