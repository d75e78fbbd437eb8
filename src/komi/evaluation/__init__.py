"""The exact strength of policies: matches, best responses, game lengths, agreement."""
