"""Text, JSON and report rows of results, by their type; results themselves are data."""
