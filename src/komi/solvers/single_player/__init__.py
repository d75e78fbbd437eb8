"""Single-player games with or without choices: maximal probability, or maximal or minimal expected total reward."""
