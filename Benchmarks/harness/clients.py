"""The clients that can be measured, as far as they have been built or installed."""

import os
import resource
import shutil
import subprocess
import time

from . import processes

FLOOR = "cfloor-handoff-1"


class LoadClient:
    """A program with the command line and the JSON line that Sources/LoadSupport describes."""

    def __init__(self, name, program, *arguments):
        self.name = name
        self._argv = [program, *arguments]
        self.is_present = os.access(program, os.X_OK)

    def can(self, scenario):
        return True

    def run(self, scenario, servers, quick):
        cpus = processes.PINNED_CLIENT_CPUS if scenario.pinned else None
        return processes.run_client(self._argv + scenario.arguments(servers, quick), cpus)


class CurlCommand:
    """`curl --parallel`: the whole process, timed from outside."""

    name = "curl --parallel"
    _longest = 300  # its own limit for what is in flight

    def __init__(self):
        self._program = shutil.which("curl")
        self.is_present = self._program is not None

    def can(self, scenario):
        return scenario.mode == "get" and scenario.concurrency <= self._longest

    def run(self, scenario, servers, quick):
        requests = scenario.quick_requests if quick else scenario.requests
        process = processes.start(
            self._command(scenario, servers, requests),
            processes.PINNED_CLIENT_CPUS if scenario.pinned else None,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        start = time.monotonic()
        usage = processes.Usage(process)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        output = process.stdout.read()
        process.wait()
        seconds = time.monotonic() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processes.end(process)
        return self._result(scenario, requests, output, seconds, usage,
                            after.ru_utime - before.ru_utime,
                            after.ru_stime - before.ru_stime)

    def _command(self, scenario, servers, requests):
        argv = [self._program, "--disable", "--silent", "--parallel", "--parallel-max",
                str(scenario.concurrency), "--noproxy", "*", "--write-out",
                "%{http_code} %{size_download} %{time_total} %{num_connects}\\n"]
        argv += ["--http2"] if scenario.http2 else ["--http1.1"]
        if scenario.server == "tls":
            argv += ["--cacert",
                     servers.bundle_file if scenario.roots == "system" else servers.ca_file]
        if not scenario.reuses:
            argv += ["--header", "Connection: close"]
        url = f"{servers.urls[scenario.server]}{scenario.path}?[1-{requests}]"
        return argv + ["--output", "/dev/null", url]

    def _result(self, scenario, requests, output, seconds, usage, user, system):
        rows = [line.split() for line in output.splitlines()]
        good = [row for row in rows if row[0] == "200" and int(row[1]) == scenario.body_bytes]
        times = sorted(float(row[2]) * 1e3 for row in good) or [0]
        return {
            "client": self.name, "requests": requests, "concurrency": scenario.concurrency,
            "completed": len(good), "errors": requests - len(good), "seconds": seconds,
            "rps": len(good) / seconds, "cpu_user_s": user, "cpu_sys_s": system,
            "max_rss_kb": usage.peak_kilobytes, "p50_ms": times[len(times) // 2],
            "p99_ms": times[min(len(times) - 1, len(times) * 99 // 100)],
            "bytes": sum(int(row[1]) for row in good),
            "connections_opened": sum(int(row[3]) for row in rows),
            "first_error": None if len(good) == requests else "a status or a length was wrong",
        }


def all_clients(products):
    """All that are known, present or not. `products` is the folder of the built programs."""
    floor, ours = f"{products}/cfloor", f"{products}/loadclient"
    return [
        LoadClient(FLOOR, floor, "--floor", "handoff"),
        LoadClient("cfloor-handoff-2", floor, "--floor", "handoff", "--loops", "2"),
        LoadClient("cfloor-bare-1", floor, "--floor", "bare"),
        LoadClient("cfloor-bare-2", floor, "--floor", "bare", "--loops", "2"),
        LoadClient("transport", ours, "--layer", "transport", "--loops", "1"),
        LoadClient("async", ours, "--layer", "async", "--loops", "1"),
        CurlCommand(),
    ]
