// The k-steps of A and of B that a step multiplies, the least products first. A unit
// has 2 steps of high halves, then 2 of low ones; low by low is less than an f32 rounds off.
struct Steps { int a, b; };
