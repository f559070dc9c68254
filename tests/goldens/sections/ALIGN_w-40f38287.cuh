// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_w = 16;
constexpr int ALIGN_x = 16;
constexpr int ALIGN_out = 16;
