"""One run: the servers, the gateway, its traffic and the faults; its verdicts and figures."""

import contextlib
import pathlib
import statistics
import sys
import tempfile
import time

from .. import processes
from . import judging
from .gateway import Gateway
from .injecting import Injector
from .sampling import Repeating, Samples, processor_seconds
from .schedule import faults
from .traffic import Traffic, add_up, percentile
from .upstreams import Upstreams

# Seconds: the client's own for one request is 60.
_PATIENCE = 90
_END = 30.0


class Run:
    """`kinds`: those of the faults that the gateway can live with."""

    def __init__(self, program, arguments, kinds):
        self.name = pathlib.Path(program).name
        self.verdicts = []
        self.figures = {}
        self._program = program
        self._arguments = arguments
        self._kinds = kinds

    def perform(self):
        with contextlib.ExitStack() as stack:
            folder = tempfile.TemporaryDirectory(prefix="benchmarks-soak-")
            home = pathlib.Path(stack.enter_context(folder))
            self._upstreams = stack.enter_context(Upstreams(self._arguments.programs, home))
            if not self._upstreams.has_names:
                self._kinds = [kind for kind in self._kinds if kind != "move"]
            self._gateway = stack.enter_context(
                Gateway(self._program, self._upstreams, home, self._arguments.settings))
            self._samples = Samples(self._gateway.identifier)
            self._drive()
            self._judge()
        return self

    def _drive(self):
        arguments, gateway = self._arguments, self._gateway
        before = gateway.counted() or 0
        processor = processor_seconds(gateway.identifier)
        self._began = time.monotonic()
        with Traffic(arguments.programs / "countingclient", gateway.port, self._upstreams.routes,
                     arguments.requests, arguments.seconds, arguments.connections) as traffic, \
                Repeating(arguments.interval, self._samples.take), \
                Repeating(0.25, self._upstreams.read_logs), \
                Repeating(60, lambda: self._print_progress(traffic)):
            self._injector = Injector(
                self._upstreams, lambda: traffic.is_running and gateway.is_running, self._kinds)
            self._injector.inject(faults(arguments.seed, arguments.gap))
            if not gateway.is_running:
                traffic.stop()
            self._sums = traffic.finish(_PATIENCE)
            self._quarters = list(traffic.quarters)
        self._seconds = time.monotonic() - self._began
        if self._sums is None:
            raise processes.Failure("the client didn't come to its end")
        self._ran_on = gateway.is_running
        self._processor = self._by_metrics = None
        if self._ran_on:
            self._processor = processor_seconds(gateway.identifier) - processor
            after = gateway.counted(before + self._sums.sent, patience=3)
            self._by_metrics = None if after is None else after - before
        self._has_ended = gateway.stop(_END)
        self._upstreams.read_logs()

    def _print_progress(self, traffic):
        print(f"{self.name}: {traffic.done:,} requests and {len(self._injector.windows)} faults "
              f"in {time.monotonic() - self._began:.0f} s", file=sys.stderr, flush=True)

    def _judge(self):
        arguments, sums, windows = self._arguments, self._sums, self._injector.windows
        explained, others = judging.failures(self._quarters, windows)
        self.verdicts = [
            *judging.judge_requests(sums, arguments.requests, arguments.is_bounded),
            *judging.judge_counts(sums, self._by_metrics, self._gateway.last_counts,
                                  self._upstreams.count),
            *judging.judge_posts(sums, self._upstreams.posts),
            *judging.judge_failures(others, self._began),
            *judging.judge_growth(self._samples.all),
            *judging.judge_rotations(self._injector.rotations,
                                     [kind for kind in judging.LIMITS if kind in self._kinds]),
            *judging.judge_schedule(windows, self._kinds),
            *judging.judge_end(self._ran_on, self._has_ended, self._gateway.status, _END)]
        self._collect_figures(explained, others)

    def _collect_figures(self, explained, others):
        sums, windows = self._sums, self._injector.windows
        quiet = [quarter for quarter in self._quarters
                 if not any(window.touches(quarter.began, quarter.ended) for window in windows)]
        in_quiet = add_up(quiet)
        samples = judging.steady(self._samples.all)
        quiet_seconds = sum(quarter.ended - quarter.began for quarter in quiet)

        def median(value):
            return statistics.median(value(sample) for sample in samples) if samples else None
        self.figures = {
            "requests": sums.sent, "seconds": self._seconds, "requests/s": sums.ended / self._seconds,
            "requests/s without faults": sum(in_quiet.values()) / quiet_seconds if quiet_seconds else None,
            "CPU µs per request": self._processor and self._processor / sums.sent * 1e6,
            "p50 ms": percentile(sums.latencies, 0.5), "p99 ms": percentile(sums.latencies, 0.99),
            "p50 ms without faults": percentile(in_quiet, 0.5),
            "p99 ms without faults": percentile(in_quiet, 0.99),
            "resident MiB (median)": median(lambda sample: sample.resident / 1024),
            "resident MiB (most)": max((sample.resident / 1024 for sample in self._samples.all),
                                       default=None),
            "proportional MiB (median)": median(lambda sample: sample.proportional / 1024),
            "descriptors (median)": median(lambda sample: sample.descriptors),
            "threads (median)": median(lambda sample: sample.threads),
            "faults injected": len(windows),
            "failures explained by faults": sum(sum(kinds.values()) for kinds in explained.values()),
            "other failures": sum(failure[3] for failure in others),
        }
        self.explained = explained
        self.others = [{"seconds": at - self._began, "target": target, "outcome": outcome, "count": count}
                       for at, target, outcome, count in others[:1000]]
        self.rotations = [{"kind": rotation.kind, "seconds": rotation.at - self._began,
                           "first seen": rotation.first_seen, "former last seen": rotation.last_seen}
                          for rotation in self._injector.rotations if rotation.is_complete]
        self.samples = [[round(sample.at - self._began, 1), sample.resident, sample.proportional,
                         sample.descriptors, sample.threads] for sample in self._samples.all]
