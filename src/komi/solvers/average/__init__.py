"""Games of one player without an end, solved for the average reward per action."""
