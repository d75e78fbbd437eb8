"""Strategies to remember for games that are too large to solve: found, and evaluated, by simulation."""
