// Bytes that divide an operand's address, the distance of its rows and, of A and B, their
// length: 16, 8, 4, 2 or 1. A launch that can promise less defines less.
#ifndef ALIGN_a
#define ALIGN_a 16
#endif
#ifndef ALIGN_b
#define ALIGN_b 16
#endif
#ifndef ALIGN_bias
#define ALIGN_bias 16
#endif
#ifndef ALIGN_out
#define ALIGN_out 16
#endif
