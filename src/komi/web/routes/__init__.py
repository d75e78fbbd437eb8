"""The API endpoints, by topic."""
