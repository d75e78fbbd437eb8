"""Playing games: the table, verified randomness, opponents, and the review of a finished game."""
