    static constexpr int NUMBERS = 2;  // of an element
    static constexpr int VECTOR_BYTES = 16;  // that the lanes of a line load
};
