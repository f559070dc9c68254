// Two 4-bit unsigned integers, as stored: the first in the low bits.
struct u4x2 { unsigned char bits; };
