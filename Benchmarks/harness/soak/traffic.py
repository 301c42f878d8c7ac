"""The client that drives the gateway, and the outcomes of its requests."""

import collections
import dataclasses
import json
import subprocess
import threading

from .. import processes

# By weight, of a hundred requests. Files of 64 KiB come in several parts.
_TARGETS = [(40, "GET", "/plain/1k", 1024), (2, "POST", "/plain/1k", 1024),
            (20, "GET", "/pair/1k", 1024), (4, "GET", "/pair/64k", 65536),
            (2, "POST", "/pair/1k", 1024), (10, "GET", "/far/1k", 1024),
            (2, "GET", "/far/64k", 65536), (1, "POST", "/far/1k", 1024),
            (10, "GET", "/tls/1k", 1024), (1, "POST", "/tls/1k", 1024),
            (7, "GET", "/names/1k", 1024), (1, "POST", "/names/1k", 1024)]


@dataclasses.dataclass
class Quarter:
    """A quarter of a second."""

    began: float
    ended: float
    outcomes: list  # [target, outcome, count]
    latencies: list  # [index, count]


@dataclasses.dataclass
class Sums:
    sent: int
    ended: int
    unasked: int
    outcomes: list
    latencies: dict

    def count(self, *outcomes, method=None):
        """Requests with one of these outcomes; all requests if none is named."""
        return sum(count for target, outcome, count in self.outcomes
                   if (not outcomes or outcome in outcomes)
                   and (method is None or target.startswith(method + " ")))


def latency(index):
    """Milliseconds: the lower end of the step of that index in countingclient's tally."""
    if index < 128:
        return index / 1e3
    shift = index // 64 - 1
    return ((index % 64 + 64) << shift) / 1e3


def percentile(latencies, share):
    """Milliseconds, of counts by index; None of none."""
    total = sum(latencies.values())
    passed = 0
    for index in sorted(latencies):
        passed += latencies[index]
        if passed > total * share:
            return latency(index)
    return None


def add_up(quarters):
    sum_of_all = collections.Counter()
    for quarter in quarters:
        for index, count in quarter.latencies:
            sum_of_all[index] += count
    return sum_of_all


class Traffic:
    """Started by `with`; ended with it, if it hasn't ended before."""

    def __init__(self, program, port, routes, requests, seconds, connections):
        self.quarters = []
        self.sums = None
        self.done = 0
        argv = [str(program), "--port", str(port), "--requests", str(requests), "--seconds",
                str(seconds), "--connections", str(connections)]
        for target in _TARGETS:
            if target[2].split("/")[1] in routes:
                argv += ["--target", ",".join(str(part) for part in target)]
        self._argv = argv

    def __enter__(self):
        self._process = processes.start(self._argv, processes.SERVER_CPUS, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, text=True)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(self, *_):
        processes.end(self._process)

    @property
    def is_running(self):
        return self._reader.is_alive()

    def stop(self):
        """Sends no further request."""
        self._process.terminate()

    def finish(self, patience):
        """Waits until the client has ended; None: it hasn't within that time."""
        self._reader.join(patience)
        return self.sums

    def _read(self):
        for line in self._process.stdout:
            value = json.loads(line)
            if "sent" in value:
                self.sums = Sums(value["sent"], value["ended"], value["unasked"], value["outcomes"],
                                 {index: count for index, count in value["latencies"]})
                continue
            self.quarters.append(Quarter(value["at"], value["at"] + value["seconds"], value["outcomes"],
                                         value["latencies"]))
            self.done += sum(count for _, _, count in value["outcomes"])
