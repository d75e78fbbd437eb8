"""Monte Carlo simulation of games, and statistics with standard errors."""
