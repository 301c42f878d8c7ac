"""What a request costs in allocations or instructions: figures that need no clock."""

import contextlib
import dataclasses
import os
import pathlib
import shutil
import statistics
import subprocess

from . import processes


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    mode: str
    concurrency: int
    body_bytes: int  # of the response, or of the upload


SCENARIOS = [
    Scenario("get-1", "get", 1, 1024),
    Scenario("get-64", "get", 64, 1024),
    Scenario("download-64k", "download", 1, 64 << 10),
    Scenario("upload-1k", "upload", 1, 1024),
]
FLOOR = "floor"
LAYERS = ["transport", "async", "async-deadline"]


def make_steady():
    """Makes this process, and all that it starts, take turns at one CPU, each until it waits.

    Elsewhere it is a matter of luck whether an answer is there when libcurl first looks for it, and
    libcurl allocates more where it isn't.
    """
    os.sched_setaffinity(0, {processes.CPUS[0]})
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    os.nice(10)  # No figure depends on the time that it takes.


@contextlib.contextmanager
def servers(products):
    """URLs by length of the body: delayservers that don't delay, ended with the block."""
    with contextlib.ExitStack() as stack:
        urls = {}
        for size in sorted({scenario.body_bytes for scenario in SCENARIOS}):
            process = processes.start(
                [str(products / "delayserver"), "--delay-ms", "0", "--body-bytes", str(size)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            stack.callback(processes.end, process)
            urls[size] = f"http://127.0.0.1:{process.stdout.readline().strip()}/"
        yield urls


def command(products, client, scenario, urls, requests):
    kind = (["cfloor", "--floor", "handoff"] if client == FLOOR
            else ["loadclient", "--layer", client])
    return [str(products / kind[0]), *kind[1:], "--loops", "1", "--url", urls[scenario.body_bytes],
            "--mode", scenario.mode, "--concurrency", str(scenario.concurrency),
            "--body-bytes", str(scenario.body_bytes), "--requests", str(requests)]


def _run(argv):
    try:
        ended = processes.Ended(argv, None, 120, {})
        if ended.status != 0:
            raise ended.failure()
    except processes.Failure as failure:
        raise SystemExit(f"{' '.join(argv)}: {failure}") from None


class Allocations:
    """Counts allocations and their bytes, with `alloccount` preloaded."""

    # Numbers of requests. What isn't done for each request cancels out.
    counts = (1_000, 5_000)

    def __init__(self, products, folder):
        self._products = products
        self._library = products / "liballoccount.so"
        self._file = pathlib.Path(folder) / "counted"

    def of(self, client, scenario, urls, requests):
        self._file.unlink(missing_ok=True)
        _run(["env", f"LD_PRELOAD={self._library}", f"ALLOCCOUNT_FILE={self._file}",
              *command(self._products, client, scenario, urls, requests)])
        return [int(number) for number in self._file.read_text().split()]


class Instructions:
    """Instructions of all threads, the kernel's left out, as callgrind counts them."""

    counts = (300, 1_300)

    def __init__(self, products, folder):
        # Valgrind stumbles over debug information that is newer than itself.
        self._products = products / "without-debug-information"
        self._products.mkdir(exist_ok=True)
        for name in ("cfloor", "loadclient"):
            subprocess.run(["strip", "-g", "-o", str(self._products / name), str(products / name)],
                           check=True)
        self._file = pathlib.Path(folder) / "callgrind"

    @staticmethod
    def are_countable():
        return shutil.which("valgrind") is not None

    def of(self, client, scenario, urls, requests):
        _run(["valgrind", "--tool=callgrind", "--quiet", f"--callgrind-out-file={self._file}",
              *command(self._products, client, scenario, urls, requests)])
        for line in self._file.read_text().splitlines():
            if line.startswith("totals:"):
                return [int(line.split()[1])]
        raise SystemExit("callgrind has left no total")


def per_request(counter, client, scenario, urls, rounds):
    """The medians of `rounds` measurements, each from two runs that differ in length."""
    few, many = counter.counts
    samples = []
    for _ in range(rounds):
        least = counter.of(client, scenario, urls, few)
        most = counter.of(client, scenario, urls, many)
        samples.append([(above - below) / (many - few) for below, above in zip(least, most)])
    return [statistics.median(values) for values in zip(*samples)]
