"""Whether a rule file is sound: what is proved of it, and what is wrong with it."""
