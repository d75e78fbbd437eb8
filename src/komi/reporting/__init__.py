"""Reports: what is known of a game on one page."""
