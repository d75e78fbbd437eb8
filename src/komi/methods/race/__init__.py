"""Two seats, chance and cycles: each maximises the chance of winning."""
