"""What the library aims at, beside what was measured."""

import dataclasses

from .clients import FLOOR


@dataclasses.dataclass(frozen=True)
class Aim:
    """A bound for a client's figure, or for its ratio or difference to another client's."""

    scenario: str
    client: str
    figure: str  # a property of Figures
    bound: float
    against: str | None = FLOOR  # None: the bound is for the figure itself
    is_least: bool = False  # the bound is the least, not the most
    unit: str = "×"
    scale: float = 1  # of a figure without a ratio
    base: str | None = None  # the scenario of the other client; None: the same
    is_difference: bool = False  # to the other client, not a ratio

    def measured(self, figures_of):
        """By the figures of the scenarios' clients; None: not known."""
        own = figures_of(self.scenario).get(self.client)
        if own is None:
            return None
        if self.against is None:
            value = getattr(own, self.figure)
            return value and value / self.scale
        other = figures_of(self.base or self.scenario).get(self.against)
        if other is None:
            return None
        return (own.difference if self.is_difference else own.ratio)(self.figure, other)

    def is_met(self, measured):
        return measured >= self.bound if self.is_least else measured <= self.bound


def _rate_and_cpu(scenario, client, rate, cpu, against=FLOOR):
    return [Aim(scenario, client, "rate", rate, against, is_least=True),
            Aim(scenario, client, "cpu", cpu, against)]


def _waiting(scenario, memory_of_async):
    return [aim for client, wall, memory in (("transport", 1.10, 1.15),
                                             ("async", 1.15, memory_of_async))
            for aim in (Aim(scenario, client, "seconds", wall),
                        Aim(scenario, client, "growth_each", memory))]


def _many(scenario, floor, ahc):
    """Thousands in flight: with shards, the search for a connection doesn't grow with their number."""
    return [Aim(scenario, "async", "rate", floor, is_least=True),
            *_rate_and_cpu(scenario, "async", 0.9, 1.2, "cfloor-shards-1"),
            Aim(scenario, "async", "rate", ahc, "ahc-1", is_least=True)]


def _bulk(scenario, *peers):
    rates = [Aim(scenario, "transport", "speed", 0.95, is_least=True),
             Aim(scenario, "async", "speed", 0.90, is_least=True)]
    rates += [Aim(scenario, "async", "speed", 1, peer, is_least=True) for peer in peers]
    # An upload from memory has its body there, once.
    most = 260 if scenario == "upload-memory" else 4
    return rates + [Aim(scenario, client, "growth", most, None, unit="MiB", scale=1024)
                    for client in ("transport", "async")]


def _layers(scenario):
    """What stands on the client: the URL loading system, and the managers on that."""
    return [
        *_rate_and_cpu(scenario, "curlurlsession", 0.8, 1.45),
        *_rate_and_cpu(scenario, "curlurlsession", 9, 0.13, "urlsession"),
        Aim(scenario, "curlurlsession-handler", "rate", 7, "urlsession-handler", is_least=True),
        # What a manager adds: a serializer, its queues, its notifications.
        *[aim for form in ("", "-handler") for aim in (
            Aim(scenario, f"curlnetworking{form}", "cpu", 1.75),
            Aim(scenario, f"curlnetworking{form}", "cpu", 8, f"curlurlsession{form}", unit="µs",
                is_difference=True),
            Aim(scenario, f"curlnetworking{form}", "rate", 7, f"urlsession{form}",
                is_least=True))],
    ]


AIMS = [
    *[aim for scenario, rate in (("h1-64", 0.92), ("h1-256", 0.90)) for aim in (
        *_rate_and_cpu(scenario, "transport", 0.97, 1.08),
        *_rate_and_cpu(scenario, "async", rate, 1.20),
        *_rate_and_cpu(scenario, "async", 1.3, 0.65, "ahc-1"),
        Aim(scenario, "async", "rate", 10, "urlsession", is_least=True))],
    *_rate_and_cpu("h1-64-other", "transport", 0.97, 1.08),
    *_rate_and_cpu("h1-64-other", "async", 0.92, 1.20),
    Aim("h1-64-other", "async", "rate", 10, "urlsession", is_least=True),
    *_many("h1-1000", 1.2, 1.6),
    *_many("h1-4000", 2.2, 2.5),
    *_many("h1-10000", 2.6, 4),
    Aim("h1-4000", "async", "cpu", 1.8, "async", base="h1-64"),
    *[Aim(scenario, client, "rate", 0.95, "cfloor-handoff-2", is_least=True)
      for scenario in ("two-loops-64", "two-loops-256") for client in ("transport-2", "async-2")],
    # Away from loopback the delay decides the rate; what a request costs keeps its order.
    *[aim for scenario in ("far-64", "far-1000") for aim in (
        Aim(scenario, "async", "rate", 0.95, is_least=True),
        Aim(scenario, "async", "cpu", 1, "ahc-1"),
        Aim(scenario, "curlurlsession", "cpu", 1, "urlsession"))],
    *_rate_and_cpu("tls-64", "transport", 0.97, 1.08),
    *_rate_and_cpu("tls-64", "async", 0.92, 1.15),
    *_rate_and_cpu("tls-64", "async", 1, 1, "ahc-1"),
    *_rate_and_cpu("tls-64", "async", 1, 1, "urlsession"),
    *_rate_and_cpu("h2-100", "transport", 0.95, 1.10),
    *_rate_and_cpu("h2-100", "async", 0.90, 1.20),
    Aim("h2-100", "async", "rate", 1.45, "ahc-1", is_least=True),
    Aim("h1-1", "transport", "p50", 1.15),
    Aim("h1-1", "async", "p50", 1.35),
    Aim("h1-1", "async", "p50", 1, "ahc-1"),
    Aim("tls-new", "transport", "cpu", 1.1),
    Aim("tls-new", "async", "cpu", 1.1),
    Aim("tls-new", "async", "cpu", 1, "ahc-1"),
    Aim("tls-new", "async", "rate", 30, "urlsession", is_least=True),
    *[aim for scenario, memory in (("wait-1000", 1.30), ("wait-5000", 1.30), ("wait-10000", 1.25))
      for aim in _waiting(scenario, memory)],
    Aim("wait-10000", "async", "seconds", 0.5, "ahc-1"),
    Aim("idle-1000", "transport", "cpu_in_all", 0.2, None, unit="s"),
    Aim("idle-1000", "async", "cpu_in_all", 0.2, None, unit="s"),
    *_bulk("download-null", "ahc-1", "urlsession"),
    *_bulk("download-file", "ahc-1", "urlsession"),
    *[aim for scenario in ("download-null", "download-file") for aim in (
        Aim(scenario, "curlurlsession", "speed", 0.9, is_least=True),
        Aim(scenario, "curlurlsession", "cpu_in_all", 1.3))],
    *_bulk("upload-memory", "urlsession"),
    *_bulk("upload-file", "urlsession"),
    # 7 ms where the C program takes 4.3.
    Aim("start", "async", "p50", 1.63),
    Aim("start", "async", "p50", 1, "ahc-1"),
    Aim("start", "async", "memory", 18, None, unit="MiB", scale=1024),
    *[aim for scenario in ("h1-64", "h1-64-other") for aim in _layers(scenario)],
    Aim("wait-10000", "curlurlsession", "growth_each", 1.4),
    # A millisecond for each of its 15 seconds, and 45 to start a process with Foundation.
    Aim("idle-1", "curlurlsession", "cpu_in_all", 0.06, None, unit="s"),
    # Results are written, and lists read, beside what the client does.
    *[Aim(scenario, "batchfetch", "rate", 0.85, "async", is_least=True)
      for scenario in ("batch-null-64", "batch-null-256")],
    *[Aim("batch-files", "batchfetch", "rate", bound, other, is_least=True)
      for other, bound in (("curl -Z 50", 1), ("curl -Z 100", 1), ("curl -Z 300", 1), ("aria2c", 3),
                           ("wget2", 1), ("xargs curl", 10))],
    Aim("batch-slow", "batchfetch", "seconds", 1.2, "async"),
    # The cost of a URL doesn't depend on the number of hosts. Few hosts share the cost of a process.
    *[Aim(f"batch-{hosts}-{count}", "batchfetch", "cpu", bound, "batchfetch",
          base=f"batch-{hosts}-{base}")
      for hosts in ("hosts", "names")
      for count, base, bound in ((20000, 1000, 1.5), (200000, 1000, 1.5), (200000, 20000, 1.25))],
    # What a queue in a database adds to a URL, and what more workers gain.
    *[aim for name in ("fleet-1", "fleet-1-64") for aim in (
        Aim(name, "batchfetch-fleet", "rate", 0.8, "batchfetch", is_least=True),
        Aim(name, "batchfetch-fleet", "cpu", 25, "batchfetch", unit="µs", is_difference=True))],
    Aim("fleet-4", "batchfetch-fleet-of-4", "rate", 3.2, "batchfetch-fleet", is_least=True),
    # At most 1.15 times the body.
    Aim("collect-200m", "curlurlsession", "growth", 230, None, unit="MiB", scale=1024),
]

# What the figures are called.
NAMES = {
    "rate": "requests/s", "cpu": "CPU per request", "p50": "p50", "seconds": "wall time",
    "growth_each": "memory per request in flight", "growth": "memory growth", "speed": "GB/s",
    "cpu_in_all": "CPU in all", "memory": "peak memory",
}


# What they are called in some scenarios.
_OTHER_NAMES = {("start", "p50"): "wall time", ("batch-files", "rate"): "files/s"}


def rows(figures_of):
    """The cells of each aim that can be judged. `figures_of` gives a scenario's figures by client."""
    for aim in AIMS:
        measured = aim.measured(figures_of)
        if measured is None:
            continue
        name = _OTHER_NAMES.get((aim.scenario, aim.figure), NAMES[aim.figure])
        other = f"{aim.against} in {aim.base}" if aim.base else aim.against
        yield [aim.scenario, aim.client, name, other or "–",
               f"{'≥' if aim.is_least else '≤'} {aim.bound:g} {aim.unit}"
               f"{' more' if aim.is_difference else ''}",
               f"{measured:.2f} {aim.unit}", "yes" if aim.is_met(measured) else "**no**"]
