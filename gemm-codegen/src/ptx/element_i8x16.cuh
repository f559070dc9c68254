// 16 8-bit signed integers of 16 lines, as a lane multiplies them.
struct alignas(16) i8x16 { unsigned words[4]; };
