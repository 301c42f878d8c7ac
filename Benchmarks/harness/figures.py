"""What the runs of one client in one scenario come to: medians. None is what isn't known."""

import statistics


def _median(values):
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def _each(*fields):
    """Microseconds for each completed request."""
    return lambda run: sum(run[field] for field in fields) / run["completed"] * 1e6


# What one run says of itself.
_OF_RUN = {
    "rate": lambda run: run["rps"],
    "seconds": lambda run: run["seconds"],
    "p50": lambda run: run["p50_ms"],
    "p99": lambda run: run["p99_ms"],
    "memory": lambda run: run["max_rss_kb"],
    "connections": lambda run: run["connections_seen"],
    "user": _each("cpu_user_s"),
    "system": _each("cpu_sys_s"),
    "cpu": _each("cpu_user_s", "cpu_sys_s"),
    "cpu_in_all": lambda run: run["cpu_user_s"] + run["cpu_sys_s"],
    # Gigabytes (10⁹) per second.
    "speed": lambda run: None if run["bytes"] is None else run["bytes"] / run["seconds"] / 1e9,
}


class Figures:
    """The median of each figure is a property of that name."""

    def __init__(self, runs, least_memory):
        self.failures = [run["failure"] for run in runs if "failure" in run]
        ended = [run for run in runs if "failure" not in run]
        # A dropped connection breaks one response off. Without a proxy none is dropped.
        surplus = [run["errors"] - (run.get("dropped") or 0) for run in ended]
        self.errors = sum(max(0, count) for count in surplus)
        self.unreported = sum(max(0, -count) for count in surplus)
        self.dropped = sum(run.get("dropped") or 0 for run in ended)
        self.first_error = next((run["first_error"] for run in ended if run["first_error"]), None)
        # One for each round, in their order.
        self._runs = [run if "failure" not in run and run["completed"] > 0 else None
                      for run in runs]
        self.count = sum(run is not None for run in self._runs)
        self._least_memory = least_memory

    def __getattr__(self, name):
        if name not in _OF_RUN and name not in ("growth", "growth_each"):
            raise AttributeError(name)
        return _median(self.of_rounds(name))

    def of_rounds(self, name):
        """A figure in each round; None where the run failed, or doesn't say."""
        measure = _OF_RUN.get(name) or getattr(self, f"_{name}")
        return [None if run is None else measure(run) for run in self._runs]

    def ratio(self, name, other):
        """The median of the ratios to another client in the same round, so that a machine which
        is slower in one round than in another slows both."""
        pairs = zip(self.of_rounds(name), other.of_rounds(name))
        return _median(own / least for own, least in pairs if own is not None and least)

    def difference(self, name, other):
        """The median of the differences to another client in the same round."""
        pairs = zip(self.of_rounds(name), other.of_rounds(name))
        return _median(own - less for own, less in pairs if None not in (own, less))

    def _growth(self, run):
        """KiB above the same program's peak when it does one small request."""
        if run["max_rss_kb"] is None or self._least_memory is None:
            return None
        return max(0, run["max_rss_kb"] - self._least_memory)

    def _growth_each(self, run):
        """KiB for each request in flight."""
        growth = self._growth(run)
        return None if growth is None else growth / run["concurrency"]

    @property
    def state(self):
        parts = [str(self.errors)]
        if self.dropped:
            parts.append(f"{self.dropped} dropped connections")
        if self.unreported:
            parts.append(f"**{self.unreported} of them not reported**")
        if self.first_error:
            parts.append(self.first_error[:160])
        if self.failures:
            parts.append(f"{len(self.failures)} runs failed: {self.failures[0]}")
        return "; ".join(parts).replace("|", "/").replace("\n", " ")
