"""What komi solves, each kind of game by a method of its own."""
