"""Studies of how well people play, from finished games kept with the players' consent."""
