    __device__ __forceinline__ static Partials<COUNT, LINES> partials_of(
        void* values, unsigned* arrivals, long long matrix, int lines, int others) {
        return Partials<COUNT, LINES>::of<128, 1>(values, arrivals, matrix, lines, others);
    }
