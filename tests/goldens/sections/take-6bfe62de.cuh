
    // Takes what the body gives for an element of a row of the atom, if that is inside the output.
    __device__ __forceinline__ void take(const Result& result, int row, bool is_inside) {
        Reducible (&reduced)[Of::COUNT] = own[row / 8 % 2];
#pragma unroll
        for (int number = 0; number < Of::COUNT; ++number) {
            const Reducible element = Of::element(number, result);
            if (is_inside) reduced[number] = Of::combined(number, reduced[number], element);
        }
    }
