"""Who plays: policies by name, and anyone's own."""
