"""Which fault comes when: made of a seed, so that a run can be repeated."""

import dataclasses
import random

# Outcomes of requests that a fault may fail.
ERRORS = ("500", "502", "503", "504")
_BROKEN = (*ERRORS, "truncated")
_ANY = ("GET", "POST")

# Seconds after the fault's end: a request may have begun before it.
GRACE = 10.0
# The same where a circuit breaker refuses requests: its longest pause is 60 seconds.
_BREAKER = 65.0

_FAR = [("far", _ANY, _BROKEN, GRACE), ("far", _ANY, ("503",), _BREAKER)]
# What a fault may fail, by kind: the route of the gateway, methods, outcomes, and until when. Requests with
# POST aren't repeated: those fail that are on the way to a server as it closes the connection.
ALLOWED = {
    "cut": _FAR,
    "refuse": _FAR,
    "stall": _FAR,
    "reload": [("plain", ("POST",), ERRORS, GRACE), ("far", ("POST",), ERRORS, GRACE)],
    "restart": [("pair", _ANY, _BROKEN, GRACE)],
    "move": [],
    "certificate": [("tls", ("POST",), ERRORS, GRACE)],
    "identity": [],
}
KINDS = tuple(ALLOWED)

# Seconds until nothing uses what was replaced.
LIMITS = {"move": 12.0, "certificate": 5.0, "identity": 5.0}


@dataclasses.dataclass(frozen=True)
class Fault:
    kind: str
    gap: float      # seconds before it, without a fault
    duration: float
    amount: int     # a number of responses, milliseconds, or the number of a server, by kind


@dataclasses.dataclass
class Window:
    """A fault as it was injected; times are of the monotonic clock."""

    kind: str
    began: float
    ended: float

    def allows(self, target, outcome, began, ended):
        """Whether it explains such an outcome of a request that ended between these times."""
        method, path = target.split(" ", 1)
        return ended >= self.began and any(
            path.startswith(f"/{route}/") and method in methods and outcome in outcomes
            and began <= self.ended + grace
            for route, methods, outcomes, grace in ALLOWED[self.kind])

    def touches(self, began, ended):
        """Whether a time is during the fault, or less than a second after it."""
        return ended >= self.began and began <= self.ended + 1


def faults(seed, gap):
    """Without end: all kinds in a random order, then in another one, and so on; `gap` is the mean time
    between two of them."""
    source = random.Random(seed)
    while True:
        for kind in source.sample(KINDS, len(KINDS)):
            yield Fault(kind, gap=gap * source.uniform(0.5, 1.5), duration=source.uniform(0.5, 2),
                        amount=_amount(source, kind))


def _amount(source, kind):
    if kind in ("cut", "refuse"):
        return source.choice((1, 3, 10, 50))
    if kind == "stall":
        return source.randrange(500, 3000)
    return source.randrange(2)
