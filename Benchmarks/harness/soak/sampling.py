"""What a process takes, read from /proc while it runs."""

import dataclasses
import os
import statistics
import threading
import time

_TICKS = os.sysconf("SC_CLK_TCK")
_MOST_POINTS = 400  # of a slope: all pairs are compared


@dataclasses.dataclass
class Sample:
    at: float
    resident: float      # KiB
    proportional: float  # KiB
    descriptors: int
    threads: int


def read_sample(identifier):
    memory = {}
    with open(f"/proc/{identifier}/smaps_rollup") as file:
        for line in file:
            name, _, rest = line.partition(":")
            if name in ("Rss", "Pss"):
                memory[name] = float(rest.split()[0])
    return Sample(time.monotonic(), memory["Rss"], memory["Pss"],
                  len(os.listdir(f"/proc/{identifier}/fd")),
                  len(os.listdir(f"/proc/{identifier}/task")))


def processor_seconds(identifier):
    """User and system time of the process."""
    with open(f"/proc/{identifier}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


class Repeating:
    """Calls a function every few seconds, on a thread, between `with` and its end."""

    def __init__(self, interval, function):
        self._interval = interval
        self._function = function
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stopped.set()
        self._thread.join()

    def _run(self):
        while not self._stopped.wait(self._interval):
            self._function()


class Samples:
    """Those of one process, as long as it runs."""

    def __init__(self, identifier):
        self.all = []
        self._identifier = identifier

    def take(self):
        try:
            self.all.append(read_sample(self._identifier))
        except (OSError, KeyError):
            pass


def _thinned(points):
    step = -(-len(points) // _MOST_POINTS)
    return points[::step] if step > 1 else points


def slope(points):
    """The median of the slopes of all pairs (Theil and Sen): peaks during faults don't move it."""
    points = _thinned(points)
    slopes = [(later[1] - earlier[1]) / (later[0] - earlier[0])
              for index, earlier in enumerate(points) for later in points[index + 1:]
              if later[0] > earlier[0]]
    return statistics.median(slopes) if slopes else None


def growth(points):
    """By the slope, from the first point to the last one; None where there are too few."""
    if len(points) < 8:
        return None
    return slope(points) * (points[-1][0] - points[0][0])
