"""The exact strength of policies: matches, best responses, lengths, agreement."""
