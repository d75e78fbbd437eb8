"""The states that play can reach and their transitions: reachability analysis, components, storage."""
