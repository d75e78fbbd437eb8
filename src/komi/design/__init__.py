"""Fairness: which numbers of the rules make a game fair, and how long it then lasts."""
