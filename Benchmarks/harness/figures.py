"""What the runs of one client in one scenario come to: medians. None is what isn't known."""

import statistics


def _median(values):
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


class Figures:
    def __init__(self, runs, least_memory):
        self.failures = [run["failure"] for run in runs if "failure" in run]
        ended = [run for run in runs if "failure" not in run]
        self.errors = sum(run["errors"] for run in ended)
        self.first_error = next((run["first_error"] for run in ended if run["first_error"]), None)
        self._good = [run for run in ended if run["completed"] > 0]
        self.count = len(self._good)
        self._least_memory = least_memory

    def _of(self, field):
        return _median(run[field] for run in self._good)

    rate = property(lambda self: self._of("rps"))
    rates = property(lambda self: [run["rps"] for run in self._good])
    seconds = property(lambda self: self._of("seconds"))
    p50 = property(lambda self: self._of("p50_ms"))
    p99 = property(lambda self: self._of("p99_ms"))
    memory = property(lambda self: self._of("max_rss_kb"))
    connections = property(lambda self: self._of("connections_seen"))

    def _each(self, *fields):
        """Microseconds for each completed request."""
        return _median(sum(run[field] for field in fields) / run["completed"] * 1e6
                       for run in self._good)

    user = property(lambda self: self._each("cpu_user_s"))
    system = property(lambda self: self._each("cpu_sys_s"))
    cpu = property(lambda self: self._each("cpu_user_s", "cpu_sys_s"))

    @property
    def cpu_in_all(self):
        return _median(run["cpu_user_s"] + run["cpu_sys_s"] for run in self._good)

    @property
    def speeds(self):
        """Gigabytes (10⁹) per second."""
        return [run["bytes"] / run["seconds"] / 1e9 for run in self._good
                if run["bytes"] is not None]

    speed = property(lambda self: _median(self.speeds))

    @property
    def growth(self):
        """KiB above the same program's peak when it does one small request."""
        if self.memory is None or self._least_memory is None:
            return None
        return max(0, self.memory - self._least_memory)

    @property
    def growth_each(self):
        """KiB for each request in flight."""
        growth = self.growth
        return growth / self._good[0]["concurrency"] if growth is not None else None

    @property
    def state(self):
        parts = [str(self.errors)]
        if self.first_error:
            parts.append(self.first_error)
        if self.failures:
            parts.append(f"{len(self.failures)} runs failed: {self.failures[0]}")
        return "; ".join(parts).replace("|", "/").replace("\n", " ")
