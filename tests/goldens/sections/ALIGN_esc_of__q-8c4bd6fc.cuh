// Alignment in bytes of an operand's address, of the distance of its rows and, for A and B, of
// their length: 16, 8, 4 or 2. Override when the launch guarantees less.
#ifndef ALIGN_esc_of__q
#define ALIGN_esc_of__q 16
#endif
#ifndef ALIGN_out0
#define ALIGN_out0 16
#endif
