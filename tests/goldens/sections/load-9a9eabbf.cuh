
    // Loads those of the lane's lines.
    __device__ __forceinline__ void load(unsigned from) {
#pragma unroll
        for (int i = 0; i < Of::COUNT; ++i) {
            unsigned words[PARTS];
#pragma unroll
            for (int part = 0; part < PARTS; part += VECTOR_BYTES / COPY_BYTES) {
                load_shared<CopiedScales>(
                    &words[part], from + Of::line(i) * LINE_BYTES + part * COPY_BYTES);
            }
#pragma unroll
            for (int part = 0; part < PARTS; ++part) {
                this->loaded[part][i] = __uint_as_float(words[part]);
            }
        }
    }
};
