"""Learning a game: planning with its model, and learning from samples, with the exact loss at every moment."""
