    static constexpr int ATOM_REGISTERS = 4, BANDS = 2;  // 8 rows of m (or n) each
    static constexpr int COLUMN_BITS = 0x3f;  // set in no column's number beyond these
};
