    __device__ __forceinline__ Source(const Element* operand, long long ld, int mn0, int mn, int k)
        : ld(ld) {
        const int at_mn = mn0 + (Tile::K_CONTIGUOUS ? row() : col());
        const int at_k = Tile::K_CONTIGUOUS ? col() : row();
        from = operand + (Tile::K_CONTIGUOUS ? at_mn * ld + at_k : at_k * ld + at_mn);
        this->mn = mn - at_mn;
        this->k = k - at_k;
    }
