"""Reports: the statistics of a game on one page."""
