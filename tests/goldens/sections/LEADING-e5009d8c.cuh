    static constexpr int LEADING = 0, STRIDE = 1024;  // bytes, of a descriptor
};
