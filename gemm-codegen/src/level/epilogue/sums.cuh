// The sums that the body takes of COUNT elements.
template <int COUNT> using Sums = Sum[COUNT];
