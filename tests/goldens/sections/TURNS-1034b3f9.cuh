    static constexpr int TURNS = 1;  // bands whose lines take turns in a row
};
