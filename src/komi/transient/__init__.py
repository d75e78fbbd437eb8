"""Games with states inside a roll: roll graphs, symbolic execution, and the backup of stored states through rolls."""

from komi.transient.roll_backup import RollBackup
from komi.transient.staged import StagedValues, solve_staged
from komi.transient.staged_lengths import StagedLengths, find_staged_lengths
from komi.transient.store import Rolls
from komi.transient.transient_values import TransientEvaluator, TransientValue
from komi.transient.verification import explore_verified

__all__ = [
    "RollBackup",
    "Rolls",
    "StagedLengths",
    "StagedValues",
    "TransientEvaluator",
    "TransientValue",
    "explore_verified",
    "find_staged_lengths",
    "solve_staged",
]
