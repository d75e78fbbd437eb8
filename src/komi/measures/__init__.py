"""Exact measures of the tension, the choices, the luck and the skill of a game."""
