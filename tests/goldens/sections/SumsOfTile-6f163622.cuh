// What is summed of a tile before it is scaled.
struct SumsOfTile {
    Accumulators products;
    LineSums lines;
};
