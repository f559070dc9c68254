// 32 4-bit unsigned integers of 16 lines, as a lane multiplies them.
struct alignas(16) u4x32 { unsigned words[4]; };
