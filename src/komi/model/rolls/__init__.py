"""Roll graphs: the transient states inside a roll, enumerated from the stored state before it, shared between rolls."""
