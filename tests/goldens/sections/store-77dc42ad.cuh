    __device__ __forceinline__ void store(int number, int line, Reducible value) const {
        return from_value(out0[line], value);
    }
};
