// The k-steps of A and of B that a step multiplies, the least products first. A unit has 2
// steps of each of 3 planes. Products less than what an f32 rounds off are left out.
struct Steps { int a, b; };
