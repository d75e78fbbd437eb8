"""Two-player games with simultaneous moves: mixed strategies, with a matrix game in each state where both choose."""
