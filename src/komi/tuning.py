"""Constants that trade time for memory, or one kind of work for another; no proof depends on them.

`bench/tuning.py` measures each at half and at twice its value on the task where it matters most.
"""

# Sets of states, and their enumeration.
DENSE_BITS = 24  # bits of a packed state up to which a finished set is always dense: it takes 3 MB
GROWING_DENSE_BITS = 28  # the same while a set grows: it takes 32 MB, and is converted if few bits are set
MIN_STEPS = 1 << 13  # states that a thread visits between two checks for interrupts: some milliseconds
MAX_STEPS = 1 << 19  # the same in a long enumeration, where threads need not wait for each other so often

# Component search and backup.
BATCH_STATES = 1 << 14  # states of a batch, unless one component has more
QUEUED_BATCHES = 4  # batches that the search may be ahead of the backup

# Fixed points and certificates.
MIXED_SWEEPS = 5  # earlier sweeps that Anderson acceleration mixes
PATIENT_SWEEPS = 16  # in which acceleration must halve the change, else as many plain sweeps follow, then twice as many
FIRST_SWEEPS = 300  # a component that needs more is slow: it is solved directly if possible
FIRST_EXTRAPOLATION = 1000.0  # the first extrapolation of bounds is limited to this multiple of the last increment
POLICIES_IMPROVED_TOGETHER = 50  # policy iterations in which both players improve at once

STORED_SWEEPS = 3  # the same for sweeps over all values of a stage: each takes two numbers for each value
STALLED_SWEEPS = 30  # of a stage without progress, after which its values count as converged
EXTRAPOLATION_PERIOD = 3  # sweeps of a stage's lengths between two extrapolations
UNORDERED_NODES = 2000  # of a component solved directly, up to which SciPy's default elimination order is fast enough
MINIMUM_DEGREE_NODES = 50_000  # up to which a minimum-degree order is computed: beyond, it can take too long

# Retrograde analysis.
GROUP_POSITIONS = 1 << 16  # positions of a group that converges without checks for interrupts
KEYS_AT_ONCE = 1 << 22  # packed states between two checks for interrupts; a multiple of 64

# Rolls.
LONG_SUM = 8  # terms beyond which a sum is divided into parts, which lists of exits can share
ROLL_CAPACITY_RATIO = 4  # least ratio of the capacity for all roll graphs to that for one, before arrays grow
HASH_CHAINS = 1024  # of exits, and of lists of exits; a power of two
NEAR_LISTS = 256  # preceding lists of exits that are tried as parts of a list
LEARNING_VISITS = 2000  # states of a group that are visited before its transitions are executed symbolically
CACHED_CHOICES = 256  # choices of leaves that are cached for each root

# Staged solves.
SEGMENT_STATES = 1 << 15  # states of a segment, the unit of work of a thread
PREFETCHED_WORDS = 48  # words of a program between the prefetch of a value and its use

# Networks.
BLOCK = 256  # decisions at a time: their data fit into the first-level cache

# Simulation.
DRAWN_AHEAD = 32  # random numbers drawn per batch, so that a mispredicted branch does not wait for them
