"""The command `curl`, with `--parallel` where there is more than one request."""

import shutil

from .client import Client


class CurlCommand(Client):
    name = "curl --parallel"
    _most_parallel = 300  # its own limit for what is in flight

    def __init__(self):
        self._program = shutil.which("curl")
        self.is_present = self._program is not None

    def can(self, scenario):
        # From memory, it can't upload.
        return (scenario.concurrency <= self._most_parallel
                and (scenario.mode != "upload" or scenario.source is not None))

    def command(self, order):
        scenario = order.scenario
        argv = [self._program, "--disable", "--silent", "--noproxy", "*", "--write-out",
                "%{http_code} %{size_download} %{size_upload} %{time_total} %{num_connects}\\n",
                "--header", "accept: application/json, */*", "--header", "accept-language: en;q=1.0",
                "--http2" if scenario.http2 else "--http1.1"]
        if order.requests > 1:
            argv += ["--parallel", "--parallel-max", str(order.concurrency)]
        if order.roots_file:
            argv += ["--cacert", order.roots_file]
        if not scenario.reuses:
            argv += ["--header", "connection: close"]
        if scenario.mode == "upload":
            argv += ["--upload-file", order.input_file, "--request", "POST", "--header", "expect:"]
        argv += ["--output", order.output_file or "/dev/null"]
        return [*argv, order.url if order.requests == 1 else f"{order.url}?[1-{order.requests}]"]

    def result(self, order, ended):
        rows = [line.split() for line in ended.output.splitlines()]
        size = 2 if order.scenario.mode == "upload" else 1
        good = [row for row in rows
                if row[0] == "200" and int(row[size]) == order.scenario.body_bytes]
        if not good:
            raise ended.failure()
        times = sorted(float(row[3]) * 1e3 for row in good)
        return {
            "client": self.name, "requests": order.requests, "concurrency": order.concurrency,
            "completed": len(good), "errors": order.requests - len(good),
            "seconds": ended.seconds, "rps": len(good) / ended.seconds,
            "cpu_user_s": ended.user, "cpu_sys_s": ended.system,
            "max_rss_kb": ended.peak_kilobytes,
            "p50_ms": times[len(times) // 2],
            "p99_ms": times[min(len(times) - 1, len(times) * 99 // 100)],
            "bytes": sum(int(row[size]) for row in good),
            "connections_opened": sum(int(row[4]) for row in rows),
            "first_error": (None if len(good) == order.requests
                            else "a status or a length was wrong"),
        }
