// The sums that the body takes of COUNT elements: those of each product.
template <int COUNT> using Sums = Sum[PRODUCTS][COUNT];
