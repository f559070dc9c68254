// 32 4-bit signed integers of 16 lines, as a lane multiplies them.
struct alignas(16) i4x32 { unsigned words[4]; };
