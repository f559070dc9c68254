
    // Takes what the body gives for an element of a row of the atom.
    __device__ __forceinline__ void take(const Result& result, int row) {
        Reducible (&reduced)[Of::COUNT] = own[row / 8 % 2];
#pragma unroll
        for (int number = 0; number < Of::COUNT; ++number) {
            const Reducible element = Of::element(number, result);
            reduced[number] = Of::combined(number, reduced[number], element);
        }
    }
