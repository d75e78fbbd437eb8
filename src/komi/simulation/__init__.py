"""Monte Carlo: games played in great number, and statistics with errors."""
