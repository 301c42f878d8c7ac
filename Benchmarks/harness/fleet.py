"""The command line of `fleet`: a run of many URLs, after one of few with the same program."""

import argparse
import contextlib
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from . import processes
from .building import build
from .database import Database, settings_for_many_urls
from .fleet_client import RUN, call

FOLDER = pathlib.Path(__file__).resolve().parent.parent
URLS_OF_HOST = 100
FEW = 10000

# The peak of a worker in the long run, beside its peak in the short one.
MOST_GROWTH = 1.25
MOST_GROWTH_KILOBYTES = 8 << 10
# All tables and indexes, for each URL with its result.
MOST_BYTES = 2500

_SIZES = """
SELECT CASE WHEN relname ~ '^url_[0-9]+$' THEN 'url' WHEN relname ~ '^result_[0-9]+$' THEN 'result'
        ELSE relname::text END, sum(pg_total_relation_size(pg_class.oid))::bigint
FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE nspname = 'batchfetch' AND relkind = 'r' GROUP BY 1 ORDER BY 2 DESC
"""


def _amount(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} isn't a number of at least 1")
    return int(text)


def _arguments():
    parser = argparse.ArgumentParser(prog="fleet", description=__doc__)
    parser.add_argument("--urls", type=_amount, default=100000, help="URLs of the long run (100,000)")
    parser.add_argument("--workers", type=_amount, default=2, help="workers of both runs (2)")
    parser.add_argument("--concurrency", type=int, default=64, help="in flight for each worker (64)")
    parser.add_argument("--limit", type=int, default=3600, help="seconds for a run (3,600)")
    parser.add_argument("--program", help="a batchfetch that is built; without it, one is built")
    parser.add_argument("--server", help="the same for delayserver")
    return parser.parse_args()


def _program(name, given):
    if given:
        return str(pathlib.Path(given).resolve())
    build(FOLDER, product=name)
    return str(FOLDER / ".build" / "release" / name)


@contextlib.contextmanager
def _server(program):
    """An address of a server that answers at once, for all addresses of 127.0.0.0/8."""
    process = processes.start(
        [program, "--delay-ms", "0", "--body-bytes", "1024", "--all-hosts", "1"],
        processes.SERVER_CPUS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield int(process.stdout.readline())
    finally:
        processes.end(process)


def _write_list(path, count, port):
    with open(path, "w") as file:
        for number in range(count):
            host = 1 + number % max(1, count // URLS_OF_HOST)
            address = f"127.{1 + (host >> 16)}.{host >> 8 & 255}.{host & 255}"
            file.write(f"http://{address}:{port}/{number}\n")


class Run:
    """A list that is added and fetched; what that took."""

    def __init__(self, arguments, program, database, port, folder, count):
        self.count = count
        database.forget_fleets()
        path = folder / "list"
        _write_list(path, count, port)
        limit = str(arguments.concurrency)
        call(program, database.address, "create", RUN, "--discard", "--concurrency", limit)
        started = time.monotonic()
        call(program, database.address, "add", RUN, str(path))
        self.add_seconds = time.monotonic() - started
        self._work(arguments, [program, "fleet", "work", RUN, "--queue", database.address])
        self.status = json.loads(call(program, database.address, "status", RUN, "--json"))
        self.results = int(database.query("SELECT count(*) FROM batchfetch.result")[0])
        rows = [line.split("|") for line in database.query(_SIZES)]
        self.sizes = {name: int(size) for name, size in rows if int(size) > 0}

    def _work(self, arguments, command):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        started = time.monotonic()
        workers = [processes.start(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
                   for _ in range(arguments.workers)]
        memories = [processes.Memory(worker) for worker in workers]
        try:
            for worker in workers:
                left = arguments.limit - (time.monotonic() - started)
                if worker.wait(timeout=max(1, left)) != 0:
                    raise SystemExit(f"a worker ended with status {worker.returncode}")
        except subprocess.TimeoutExpired:
            raise SystemExit(f"not done after {arguments.limit} s") from None
        finally:
            for worker in workers:
                processes.end(worker)
        self.seconds = time.monotonic() - started
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        peaks = [memory.peak_kilobytes for memory in memories if memory.peak_kilobytes]
        self.peak = max(peaks, default=0)

    @property
    def bytes_each(self):
        return sum(self.sizes.values()) / self.count

    def show(self):
        sizes = ", ".join(f"{name} {size / 1e6:,.1f} MB" for name, size in self.sizes.items())
        print(f"{self.count:,} URLs of {self.status['hosts']:,} hosts\n"
              f"  added        {self.count / self.add_seconds:,.0f} URLs/s\n"
              f"  fetched      {self.count / self.seconds:,.0f} URLs/s in {self.seconds:,.1f} s\n"
              f"  workers' CPU {self.processor / self.count * 1e6:,.1f} µs for each URL\n"
              f"  memory       {self.peak / 1024:,.1f} MiB at most in a worker\n"
              f"  tables       {self.bytes_each:,.0f} bytes for each URL: {sizes}", flush=True)

    def problems(self):
        for name, expected in (("fetched", self.count), ("failed", 0), ("pending", 0)):
            if self.status[name] != expected:
                yield f"{self.status[name]:,} URLs are {name} instead of {expected:,}"
        if self.results != self.count:
            yield f"there are {self.results:,} results of {self.count:,} URLs"
        if not self.peak:
            yield "the memory of the workers isn't known"


def _problems(few, many):
    yield from few.problems()
    yield from many.problems()
    most = few.peak * MOST_GROWTH + MOST_GROWTH_KILOBYTES
    if many.peak > most:
        yield (f"a worker took {many.peak / 1024:,.1f} MiB for {many.count:,} URLs, more than "
               f"{most / 1024:,.1f} MiB: {few.peak / 1024:,.1f} MiB for {few.count:,} URLs, a quarter, "
               "and 8 MiB")
    if many.bytes_each > MOST_BYTES:
        yield (f"the tables have {many.bytes_each:,.0f} bytes for each URL, more than "
               f"{MOST_BYTES:,}")


def main():
    # When this process is terminated, its servers end, too.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    arguments = _arguments()
    program = _program("batchfetch", arguments.program)
    server = _program("delayserver", arguments.server)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="benchmarks-fleet-"))
    # The workers' results of an absent database, if there are any, aren't kept in the home folder.
    os.environ["XDG_STATE_HOME"] = str(folder)
    database = Database(None, settings=settings_for_many_urls())
    try:
        with _server(server) as port:
            runs = []
            for count in (FEW, arguments.urls):
                runs.append(Run(arguments, program, database, port, folder, count))
                runs[-1].show()
    except processes.Failure as failure:
        raise SystemExit(str(failure)) from None
    finally:
        database.end()
        shutil.rmtree(folder, ignore_errors=True)
    problems = list(_problems(*runs))
    for problem in problems:
        print(f"fleet: {problem}", file=sys.stderr)
    return 1 if problems else 0
