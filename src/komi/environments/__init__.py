"""Games as environments: compiled steps of one or many games, shared by the interfaces to other libraries."""

from komi.environments.functions import Games, reset, step

__all__ = ["Games", "reset", "step"]
