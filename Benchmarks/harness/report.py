"""The Markdown: a table for each scenario, and one for each measure of the sweep."""

import dataclasses

from . import aims
from .clients import FLOOR
from .columns import COLUMNS, UNKNOWN, number
from .figures import Figures
from .scenarios import HOSTS_SWEEP, SWEEP, Scenario


def _line(cells):
    return "| " + " | ".join(cells) + " |"


def _table(heading, rows):
    rule = ["---"] + ["---:"] * (len(heading) - 1)
    return "\n".join(map(_line, [heading, rule, *rows])) + "\n"


def _figures(runs_by_client, least):
    return {name: Figures(runs, least.get(name)) for name, runs in runs_by_client.items()}


def _row(columns, name, figures, floor):
    if figures.count == 0:
        return [name, "0", *[UNKNOWN] * (len(columns) - 1), figures.state]
    return [name, str(figures.count), *[column.text(figures, floor) for column in columns]]


def section(scenario, runs_by_client, least):
    """The Markdown section of one scenario. `least` has the clients' least memory by name."""
    figures = _figures(runs_by_client, least)
    floor = figures.get(FLOOR)
    if floor and floor.count == 0:
        floor = None
    columns = COLUMNS[scenario.kind]
    heading = ["client", "runs", *[column.heading for column in columns]]
    rows = [_row(columns, name, one, floor) for name, one in figures.items()]
    return f"### {scenario.title} (`{scenario.name}`)\n\n" + _table(heading, rows)


def aims_section(results, least):
    """What is aimed at beside what was measured; None: nothing of it was measured."""
    known = {name: _figures(runs, least) for name, runs in results.items()}
    rows = list(aims.rows(lambda scenario: known.get(scenario, {})))
    if not rows:
        return None
    heading = ["scenario", "client", "figure", "against", "aim", "measured", "met"]
    return "### Aims\n\n" + _table(heading, rows)


@dataclasses.dataclass(frozen=True)
class Point:
    """A scenario's place in a growth."""

    place: int
    scenario: Scenario
    series: str = ""  # is added to the clients' names


@dataclasses.dataclass(frozen=True)
class Growth:
    """Figures over the size of something: tables and plots."""

    heading: str
    title: str  # of the plots
    axis: str
    points: list
    measures: list  # each with the plot's name, its title, the figure, how it is written, its scale


GROWTHS = [
    Growth("HTTP/1.1, 1 KiB, over the number of requests in flight (`sweep-…`, `h1-1000` and above)",
           "HTTP/1.1, 1 KiB", "requests in flight",
           [Point(scenario.concurrency, scenario) for scenario in SWEEP],
           [("throughput", "Requests per second", "rate", ",.0f", 1),
            ("cpu", "CPU for each request, µs", "cpu", ".1f", 1),
            ("memory", "Peak memory, MiB", "memory", ".1f", 1024)]),
    Growth("Lists of URLs, 1,000 in flight, over the number of hosts (`batch-hosts-…`, `batch-names-…`)",
           "Lists of URLs, 1,000 in flight", "hosts",
           [Point(scenario.host_count or scenario.requests, scenario,
                  ", names" if scenario.hosts == "names" else "") for scenario in HOSTS_SWEEP],
           [("hosts", "CPU for each URL, µs", "cpu", ".1f", 1)]),
]


def curves(growth, results, least):
    """For each measure its plot's name, its title, and by client the values by place."""
    measured = [(point, _figures(results[point.scenario.name], least))
                for point in growth.points if point.scenario.name in results]
    for plot, title, figure, form, scale in growth.measures:
        values = {}
        for point, by_client in measured:
            for name, figures in by_client.items():
                value = getattr(figures, figure)
                if value is not None:
                    values.setdefault(name + point.series, {})[point.place] = value / scale
        yield plot, title, form, values


def growth_section(growth, results, least, plots):
    """Tables, and the plots: a folder's name, relative to the document; None: none."""
    places = sorted({point.place for point in growth.points if point.scenario.name in results})
    if not places:
        return None
    parts = [f"### {growth.heading}\n"]
    for plot, title, form, values in curves(growth, results, least):
        parts.append(f"{title}:\n")
        parts += [f"![{title} over {growth.axis}]({plots}/{plot}.svg)\n"] if plots else []
        rows = [[name, *[number(by_place.get(place), form) for place in places]]
                for name, by_place in values.items()]
        parts.append(_table(["client", *[f"{place:,}" for place in places]], rows))
    return "\n".join(parts)


def document(machine, sections):
    facts = "\n".join(f"- {name}: {value}" for name, value in machine.items())
    return ("# Measured\n\nWritten by `Benchmarks/run`; `Benchmarks/README.md` says how to read it.\n\n"
            f"{facts}\n\n" + "\n".join(sections))
