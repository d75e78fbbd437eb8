"""Constants that trade time for memory, or one kind of work for another; no proof depends on them.

`bench/tuning.py` measures each at half and at twice its value on the task where it matters most.
"""

# Component search and backup.
BATCH_STATES = 1 << 14  # states of a batch, unless one component has more
QUEUED_BATCHES = 4  # batches that the search may be ahead of the backup

# Fixed points and certificates.
MIXED_SWEEPS = 5  # earlier sweeps that Anderson acceleration mixes
PATIENT_SWEEPS = 16  # in which acceleration must halve the change, else as many plain sweeps follow, then twice as many
FIRST_SWEEPS = 300  # a component that needs more is slow: it is solved directly if possible
FIRST_EXTRAPOLATION = 1000.0  # the first extrapolation of bounds is limited to this multiple of the last increment
POLICIES_IMPROVED_TOGETHER = 50  # policy iterations in which both players improve at once

# Rolls.
HASH_CHAINS = 1024  # of exits, and of lists of exits; a power of two
NEAR_LISTS = 256  # preceding lists of exits that are tried as parts of a list
LEARNING_VISITS = 2000  # states of a group that are visited before its transitions are executed symbolically
CACHED_CHOICES = 256  # choices of leaves that are cached for each root

# Staged solves.
SEGMENT_STATES = 1 << 15  # states of a segment, the unit of work of a thread
PREFETCHED_WORDS = 48  # words of a program between the prefetch of a value and its use

# Simulation.
DRAWN_AHEAD = 32  # random numbers drawn per batch, so that a mispredicted branch does not wait for them
