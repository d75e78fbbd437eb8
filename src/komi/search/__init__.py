"""Search from one state, compiled for a game: Monte Carlo tree search; see `komi.policies.searchers` and `determinizing`."""
