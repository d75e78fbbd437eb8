"""Two-player zero-sum games with hidden information: an equilibrium in behavior policies, with its exploitability."""
