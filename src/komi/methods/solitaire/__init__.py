"""One seat, with or without choices: the best chance, the most or the least of what is gained."""
