    // That of line i at a k-step.
    __device__ __forceinline__ Sum value(int i, int step) const {
        return to_value(loaded[step * MMA_K / Of::K % PARTS][i]);
    }
};
