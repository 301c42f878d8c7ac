"""What all clients have in common, whatever their command line is."""

import statistics

from . import processes
from .processes import Failure
from .scenarios import LEAST, Kind

FIELDS = ("client", "requests", "concurrency", "completed", "errors", "seconds", "rps",
          "cpu_user_s", "cpu_sys_s", "max_rss_kb", "p50_ms", "p99_ms", "bytes",
          "connections_opened", "first_error")


class Client:
    """A client under measurement. Its run gives a dictionary of FIELDS; None is what it can't know."""

    name = ""
    is_present = False
    in_quick = True
    # Whether it is measured only if it is named on the command line.
    is_asked_for = False
    # The share of a scenario's requests that it is asked for: less for one that is much slower.
    share = 1.0
    # Its peak of memory here is what others are compared with.
    least = LEAST

    def can(self, scenario):
        raise NotImplementedError

    def takes_part(self, scenario):
        """Whether it is measured in a scenario, which may name those that are."""
        return self.can(scenario) if scenario.clients is None else self.name in scenario.clients

    def command(self, order):
        """The command line that does what is ordered."""
        raise NotImplementedError

    def result(self, order, ended):
        """The FIELDS of a process that has ended, or a Failure."""
        raise NotImplementedError

    def requests(self, scenario, quick):
        # A scenario that is named is measured even if --quick has none of its requests.
        wanted = (scenario.quick_requests if quick else None) or scenario.requests
        if scenario.kind in (Kind.RATE, Kind.FILES) and wanted > 100:
            return max(100, round(wanted * self.share))
        return wanted

    def run(self, order):
        """A dictionary of FIELDS, or one with nothing but a `failure`."""
        try:
            result = self._start(order) if order.scenario.kind is Kind.START else self._run(order)
        except Failure as failure:
            return {"failure": str(failure)}
        finally:
            order.forget_output()
        return {field: result.get(field) for field in FIELDS}

    def _run(self, order):
        cpus = processes.PINNED_CLIENT_CPUS if order.scenario.pinned else None
        ended = processes.Ended(self.command(order), cpus, order.scenario.limit, order.environment,
                                order.scenario.loop_apart)
        return self.result(order, ended)

    def _start(self, order):
        """Many processes of one request each; `seconds` and `p50_ms` are the median of one."""
        one = order.of_one_request()
        result = self._run(one)
        seconds = processes.time_starts(self.command(one), order.requests, order.scenario.limit)
        median = statistics.median(seconds)
        return {**result, "requests": order.requests, "completed": order.requests,
                "seconds": median, "rps": None, "p50_ms": median * 1e3,
                "p99_ms": max(seconds) * 1e3}
