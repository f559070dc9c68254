// The factors of B: their first elements, and how far apart their rows are.
struct FactorsOfB { const TileB::Element* of[PRODUCTS]; long long ld[PRODUCTS]; };
