"""Strategies to remember for games in which two players choose at the same time: they mix actions."""
