"""Games with states inside a roll: roll graphs, symbolic execution, and the backup of stored states through rolls."""
