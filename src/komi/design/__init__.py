"""Game design: which values of the rules make a game fair, and how long the game then lasts."""
