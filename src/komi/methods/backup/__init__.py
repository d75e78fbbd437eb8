"""Values of states, backed up component by component, with proved bounds: what methods share."""
