// Bytes that divide an operand's address, the distances of its rows and matrices and, of
// A and B, the length of a row: 16, 8, 4 or 2. A launch that can promise less defines
// less.
#ifndef ALIGN_out
#define ALIGN_out 16
#endif
