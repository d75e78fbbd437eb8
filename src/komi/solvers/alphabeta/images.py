"""Symmetries of positions in compiled code: the least of all images of a position stands for all of them."""

from komi.compiling.packing import LayoutArrays
from komi.game import CHANCE
from komi.graph.expansion import ADDRESSES, COUNTS, FIELDS, HALVES, IMAGE_HIGH, IMAGE_LOW
from komi.graph.reachability_kernel import ExplorationStatus
from komi.jit.addresses import floats_at, integers_at
from komi.rules.interface import pack, pack_long, record_witness, rules_from, symmetries, unpack, unpack_long


def find_least_image(context: int, high: int, low: int) -> int:
    """Find the image of a position whose packed form is the least, the position itself included.

    Args:
        context: the address of the context with which `expansion.expand` is called; the entries IMAGE_HIGH and
            IMAGE_LOW of its counts are filled in.
        high, low: the packed position.

    Returns:
        0, or -OUTSIDE if an image does not fit into the layout: it is the first row of `outside`.
    """
    at = integers_at(context, ADDRESSES)
    counts, witness = integers_at(at[6], COUNTS), integers_at(at[7], 1)
    layout = LayoutArrays(integers_at(at[2], 1), integers_at(at[3], 1), integers_at(at[4], 1), integers_at(at[5], 1))
    rules = rules_from(integers_at(at[0], 1), floats_at(at[1], 1))
    halves = counts[HALVES]
    state = unpack(layout, low) if halves == 1 else unpack_long(layout, high, low)
    record_witness(state, CHANCE, witness)
    least_high, least_low = high, low
    for image in symmetries(rules, state):
        image_high, image_low = (0, pack(layout, image)) if halves == 1 else pack_long(layout, image)
        if image_low < 0:
            record_witness(image, -1, integers_at(at[8], (1, counts[FIELDS] + 1))[0])
            return -ExplorationStatus.OUTSIDE
        if image_high < least_high or (image_high == least_high and image_low < least_low):
            least_high, least_low = image_high, image_low
    counts[IMAGE_HIGH], counts[IMAGE_LOW] = least_high, least_low
    return 0
