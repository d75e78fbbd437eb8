"""Three and more seats: each maximises its own chance of winning; equilibria with a proved epsilon."""
