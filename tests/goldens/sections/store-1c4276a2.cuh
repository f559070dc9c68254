    __device__ __forceinline__ void store(int number, int line, Reducible value) const {
        if (number == 0) return from_value(out1[line], value);
        return from_value(out2[line], value);
    }
};
