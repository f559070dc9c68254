
    __device__ __forceinline__ void load() {
#pragma unroll
        for (int i = 0; i < Of::COUNT; ++i) {
            const int line = mn0 + Of::line(i);
            const long long along_mn = line / Of::LINES, along_k = k / Of::K;
            const Element* const from =
                first + (Of::K_CONTIGUOUS ? along_mn * ld + along_k : along_k * ld + along_mn);
            loaded[i] = line < mn && k < end ? *from : Element{};
        }
    }
