"""Strategies to remember for games that are too large to solve: searched, and measured, by simulation."""
