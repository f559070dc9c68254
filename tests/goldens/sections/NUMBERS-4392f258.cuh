    static constexpr int NUMBERS = 1;  // of an element
    static constexpr int VECTOR_BYTES = 16;  // that the lanes of a line load
};
