"""Multiplayer games, each player maximizing the probability of winning: Nash equilibria with a proved epsilon."""
