// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4, 2 or 1. Override when the launch guarantees less.
#ifndef ALIGN_w
#define ALIGN_w 16
#endif
#ifndef ALIGN_x
#define ALIGN_x 16
#endif
#ifndef ALIGN_out
#define ALIGN_out 16
#endif
