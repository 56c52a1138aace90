"""The problems as icepool and dyce put them, each in the words of its documentation.

A problem is a function without arguments that returns a mapping from outcomes, whole
numbers, to how often each of them happens. Left out is what a library has no way to say but
by listing all rolls.

Each library first solves some small problems with three-sided dice, so that what Python and
the library load and prepare at a first call is not counted. No result of those is of use
for the problems.
"""

MIXED = [4, 6, 8, 10, 12] * 3


def icepool():
    from icepool import Pool, d, d6, d10, d20

    def pairs(left, right):
        return left.sort_pair(">", right).size()

    d3 = d(3)
    4 @ d3, d3.highest(4, 2), Pool([d(2), d3]).highest(1).sum(), d3.pool(3).largest_count()
    d3.pool(3).largest_straight(), pairs(d3.pool(3), d3.pool(2)), 2 @ d3.explode(depth=2)

    return {
        "100d6": lambda: 100 @ d6,
        "1000d6": lambda: 1000 @ d6,
        "20d10, keep highest 7": lambda: d10.highest(20, 7),
        "100d20, keep highest 50": lambda: d20.highest(100, 50),
        "15 mixed dice, keep highest 5": lambda: Pool([d(n) for n in MIXED]).highest(5).sum(),
        "10d10, largest set": lambda: d10.pool(10).largest_count(),
        "20d6, longest run": lambda: d6.pool(20).largest_straight(),
        "12d6 against 11d6, pairwise": lambda: pairs(d6.pool(12), d6.pool(11)),
        "RISK throw, 3 against 2": lambda: pairs(d6.pool(3), d6.pool(2)),
        "10d6, exploding 10 deep": lambda: 10 @ d6.explode(depth=10),
        "30d20, at least 350": lambda: 30 @ d20 >= 350,
    }


def dyce():
    from dyce import H, P, explode_n

    4 @ H(3), (4 @ P(3)).at(slice(-2, None)), P(2, 3).at(slice(-1, None))
    2 @ explode_n(H(3), n=2), (3 @ H(3)).ge(4)

    return {
        "100d6": lambda: 100 @ H(6),
        "1000d6": lambda: 1000 @ H(6),
        "20d10, keep highest 7": lambda: (20 @ P(10)).at(slice(-7, None)),
        "100d20, keep highest 50": lambda: (100 @ P(20)).at(slice(-50, None)),
        "15 mixed dice, keep highest 5": lambda: P(*MIXED).at(slice(-5, None)),
        "10d6, exploding 10 deep": lambda: 10 @ explode_n(H(6), n=10),
        "30d20, at least 350": lambda: (30 @ H(20)).ge(350),
    }


PEERS = {"icepool": icepool, "dyce": dyce}
