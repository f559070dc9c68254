// Bytes that divide an operand's address, the distance of its rows and, of A and B, their
// length: 16, 8, 4 or 2. A launch that can promise less defines less.
#ifndef ALIGN_residual
#define ALIGN_residual 16
#endif
#ifndef ALIGN_out
#define ALIGN_out 16
#endif
