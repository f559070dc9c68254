    static constexpr int LEADING = 8192, STRIDE = 1024;  // bytes, of a descriptor
};
