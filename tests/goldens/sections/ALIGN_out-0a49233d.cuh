// Alignment in bytes of an operand's address, of the distances of its rows and matrices and,
// for A and B, of the length of a row: 16, 8, 4 or 2. Lower if the launch guarantees less.
constexpr int ALIGN_out = 16;
