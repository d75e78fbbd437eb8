"""Two-player zero-sum stochastic games: each player maximizes the probability of winning."""
