"""Search from one state, compiled for a game: Monte Carlo tree search; see the searchers of `komi.policies`."""
