// Two 4-bit signed integers, as stored: the first in the low bits.
struct i4x2 { unsigned char bits; };
