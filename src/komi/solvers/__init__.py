"""Solvers, one for each class of games."""
