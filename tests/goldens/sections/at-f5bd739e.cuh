    __device__ __forceinline__ Reducible* at(int number, int part, int line) const {
        return values + ((long long)number * parts + part) * lines + line;
    }
