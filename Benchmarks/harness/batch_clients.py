"""Commands that are given a list of URLs: the batch fetcher, and what is used in its place."""

import json
import os
import shutil

from . import namespaces
from .client import Client
from .scenarios import LEAST_WAITING, Kind
from .servers import RESOLVER_FILE


class ListClient(Client):
    """Writes the list in the command's form, and checks the files afterwards: they are counted and
    measured, regardless of what the command reports."""

    def __init__(self, program):
        self._program = shutil.which(program)
        self.is_present = self._program is not None

    def can(self, scenario):
        return False  # except for scenarios that name it

    def lines(self, order, number, url):
        """The lines of the list for one URL."""
        return url

    def _run(self, order):
        self.prepare(order)
        return super()._run(order)

    def prepare(self, order):
        """Makes what the command needs. It isn't measured."""
        with open(list_file(order), "w") as file:
            for number in range(1, order.requests + 1):
                file.write(self.lines(order, number, order.url_of(number)) + "\n")
        if order.output_file:
            os.mkdir(order.output_file)

    def result(self, order, ended):
        good, others = self._good(order, ended)
        if not good or ended.status < 0:
            raise ended.failure()
        errors = order.requests - good + others
        return {
            "client": self.name, "requests": order.requests, "concurrency": order.concurrency,
            "completed": good, "errors": errors, "seconds": ended.seconds,
            "rps": good / ended.seconds, "cpu_user_s": ended.user, "cpu_sys_s": ended.system,
            "max_rss_kb": ended.peak_kilobytes,
            "first_error": f"exit status {ended.status}" if errors else None,
        }

    def _good(self, order, ended):
        """How many are as they should be, and how many there are that should not be."""
        return _files(order.output_file, order.scenario.body_bytes)


def list_file(order):
    return str(order.servers.home / "list")


def _files(folder, size):
    sizes = [entry.stat().st_size for entry in _entries(folder)]
    good = sum(one == size for one in sizes)
    return good, len(sizes) - good


def _entries(folder):
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            yield from _entries(entry.path)
        else:
            yield entry


def limits(order):
    """The options for the requests in flight. A single host has all of them; several have as many each
    as the command gives them."""
    limit = str(order.concurrency)
    return ["--concurrency", limit, *(["--per-host", limit] if order.scenario.hosts is None else [])]


class BatchFetch(ListClient):
    """Results are written where bodies aren't."""

    name = "batchfetch"
    least = LEAST_WAITING

    def __init__(self, program):
        super().__init__(program)
        self._can_look_up = self.is_present and namespaces.can_replace(RESOLVER_FILE)

    def takes_part(self, scenario):
        return super().takes_part(scenario) and (scenario.hosts != "names" or self._can_look_up)

    def command(self, order):
        argv = [self._program, "--quiet", *limits(order)]
        argv += (["--output", order.output_file] if order.output_file
                 else ["--discard", "--overwrite-results", "--results", self._results(order)])
        argv.append(list_file(order))
        if order.scenario.hosts != "names":
            return argv
        return namespaces.with_file(order.servers.resolver_file(), RESOLVER_FILE, argv)

    @staticmethod
    def _results(order):
        return str(order.servers.home / "results.jsonl")

    def _good(self, order, ended):
        return super()._good(order, ended) if order.output_file else (len(self._times(order)), 0)

    def _times(self, order):
        """In milliseconds, of the URLs that were fetched, each counted once."""
        times = {}
        with open(self._results(order)) as file:
            for line in map(json.loads, file):
                if line["ok"] and line.get("decoded_bytes") == order.scenario.body_bytes:
                    times[line["url"]] = line["t"]["total"] * 1e3
        return sorted(times.values())

    def result(self, order, ended):
        result = super().result(order, ended)
        if order.scenario.kind is Kind.RATE and not order.output_file:
            times = self._times(order)
            result.update(p50_ms=times[len(times) // 2],
                          p99_ms=times[min(len(times) - 1, len(times) * 99 // 100)])
        return result


class CurlList(ListClient):
    """`curl --parallel` with so many in flight, and a file of pairs of `url` and `output`."""

    def __init__(self, most, in_quick=True):
        super().__init__("curl")
        self.name = f"curl -Z {most}"
        self.in_quick = in_quick
        self._most = most

    def lines(self, order, number, url):
        output = f"{order.output_file}/{number}" if order.output_file else "/dev/null"
        return f'url = "{url}"\noutput = "{output}"'

    def command(self, order):
        return [self._program, "--disable", "--silent", "--noproxy", "*", "--parallel",
                "--parallel-max", str(self._most), "--write-out", "%{http_code} %{size_download}\\n",
                "--config", list_file(order)]

    def _good(self, order, ended):
        if order.output_file:
            return super()._good(order, ended)
        return ended.output.splitlines().count(f"200 {order.scenario.body_bytes}"), 0

    def result(self, order, ended):
        return {**super().result(order, ended),
                "concurrency": min(self._most, order.requests)}


class Aria2(ListClient):
    """Without what it does for large files: no second connection, nothing allocated ahead."""

    name = "aria2c"
    most = 16

    def __init__(self):
        super().__init__("aria2c")

    def lines(self, order, number, url):
        return f"{url}\n out={number}"

    def command(self, order):
        return [self._program, "--no-conf=true", "--quiet=true", "--input-file", list_file(order),
                "--dir", order.output_file, "--max-concurrent-downloads", str(self.most),
                "--max-connection-per-server=1", "--split=1", "--file-allocation=none",
                "--auto-file-renaming=false", "--download-result=hide", "--summary-interval=0"]


class Wget2(ListClient):
    name = "wget2"
    most = 16

    def __init__(self):
        super().__init__("wget2")

    def command(self, order):
        return [self._program, "--no-config", "--quiet", "--no-hsts", "--no-robots",
                "--no-directories", "--max-threads", str(self.most),
                "--directory-prefix", order.output_file, "--input-file", list_file(order)]


class XargsCurl(ListClient):
    """A process for each URL. Their memory isn't told: it would be that of xargs."""

    name = "xargs curl"
    share = 0.1
    most = 16

    def __init__(self):
        super().__init__("xargs")
        self._curl = shutil.which("curl")
        self.is_present = self.is_present and self._curl is not None

    def lines(self, order, number, url):
        return f"{order.output_file}/{number} {url}"

    def command(self, order):
        return [self._program, "--arg-file", list_file(order), "--max-procs", str(self.most),
                "--max-args", "2", self._curl, "--disable", "--silent", "--noproxy", "*",
                "--output"]

    def result(self, order, ended):
        return {**super().result(order, ended), "max_rss_kb": None}
