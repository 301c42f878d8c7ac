"""wrk and h2load: what kernel and server allow if the client does almost nothing.

They neither keep bodies nor check lengths or certificates, and build no request twice.
"""

import re
import shutil

from .client import Client
from .scenarios import Kind


def _found(pattern, text, kind=float, otherwise=None):
    match = re.search(pattern, text)
    return kind(match.group(1)) if match else otherwise


def _milliseconds(text):
    """Of "1.23ms" and the like; None of None."""
    if text is None:
        return None
    number, unit = re.fullmatch(r"([\d.]+)(us|ms|s|m)", text).groups()
    return float(number) * {"us": 1e-3, "ms": 1, "s": 1e3, "m": 6e4}[unit]


class LoadGenerator(Client):
    def __init__(self):
        self._program = shutil.which(self.name)
        self.is_present = self._program is not None

    def can(self, scenario):
        return scenario.kind is Kind.RATE and scenario.reuses

    def _result(self, order, ended, **known):
        return {"client": self.name, "concurrency": order.concurrency, "cpu_user_s": ended.user,
                "cpu_sys_s": ended.system, "max_rss_kb": ended.peak_kilobytes, **known}


class Wrk(LoadGenerator):
    name = "wrk"

    def can(self, scenario):
        return super().can(scenario) and not scenario.http2

    def command(self, order):
        # It takes a time, not a number of requests.
        seconds = 1 if order.requests <= 20000 else 2
        return [self._program, "--threads", "1", "--connections", str(order.concurrency),
                "--duration", f"{seconds}s", "--latency", order.url]

    def result(self, order, ended):
        text = ended.output
        completed = _found(r"(\d+) requests in", text, int)
        if not completed:
            raise ended.failure()
        wrong = _found(r"Non-2xx or 3xx responses: (\d+)", text, int, 0)
        broken = re.search(r"Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)", text)
        errors = wrong + (sum(map(int, broken.groups())) if broken else 0)
        return self._result(
            order, ended, requests=completed, completed=completed - wrong, errors=errors,
            seconds=_milliseconds(_found(r"requests in ([\d.]+\w+)", text, str)) / 1e3,
            rps=_found(r"Requests/sec: +([\d.]+)", text),
            p50_ms=_milliseconds(_found(r"50% +([\d.]+\w+)", text, str)),
            p99_ms=_milliseconds(_found(r"99% +([\d.]+\w+)", text, str)),
            first_error="a status or a socket" if errors else None)


class H2load(LoadGenerator):
    name = "h2load"

    def command(self, order):
        argv = [self._program, "--requests", str(order.requests), "--threads", "1"]
        if order.scenario.http2:
            argv += ["--clients", "1", "--max-concurrent-streams", str(order.concurrency)]
        else:
            argv += ["--h1", "--clients", str(order.concurrency)]
        return [*argv, order.url]

    def result(self, order, ended):
        text = ended.output
        succeeded = _found(r"(\d+) succeeded", text, int)
        if not succeeded:
            raise ended.failure()
        failed = _found(r"succeeded, (\d+) failed", text, int, 0)
        return self._result(
            order, ended, requests=order.requests, completed=succeeded, errors=failed,
            seconds=_milliseconds(_found(r"finished in ([\d.]+\w+)", text, str)) / 1e3,
            rps=_found(r"([\d.]+) req/s", text), bytes=_found(r"\((\d+)\) data", text, int),
            first_error="a request failed" if failed else None)
