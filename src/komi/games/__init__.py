"""The built-in games, each a module of rules and nothing else."""
