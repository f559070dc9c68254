// What is summed of a tile before it is scaled.
typedef Accumulators SumsOfTile;
