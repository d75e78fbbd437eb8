"""States of a moment: what lies inside a roll, found from the stored state before it, and shared between rolls."""
