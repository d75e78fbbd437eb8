"""Two seats that choose at the same time: mixed strategies, a matrix game in each state where both decide."""
