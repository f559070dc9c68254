// 16 8-bit unsigned integers of 16 lines, as a lane multiplies them.
struct alignas(16) u8x16 { unsigned words[4]; };
