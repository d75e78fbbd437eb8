"""Search from one state, compiled for a game: Monte Carlo tree search and expectimax; see `komi.policies`."""
