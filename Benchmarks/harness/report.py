"""The Markdown: a table for each scenario, and one for each measure of the sweep."""

from . import aims
from .clients import FLOOR
from .columns import COLUMNS, UNKNOWN, number
from .figures import Figures
from .scenarios import SWEEP


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


# The name of the plot, its title, the figure, and how it is written.
MEASURES = [
    ("throughput", "Requests per second", "rate", ",.0f", 1),
    ("cpu", "CPU for each request, µs", "cpu", ".1f", 1),
    ("memory", "Peak memory, MiB", "memory", ".1f", 1024),
]


def sweep(results, least):
    """For each measure its plot's name, its title, and by client the values by concurrency."""
    figures = {scenario.concurrency: _figures(results[scenario.name], least)
               for scenario in SWEEP if scenario.name in results}
    names = dict.fromkeys(name for by_client in figures.values() for name in by_client)
    for plot, title, figure, form, scale in MEASURES:
        values = {name: {concurrency: getattr(by_client[name], figure) / scale
                         for concurrency, by_client in figures.items()
                         if name in by_client and getattr(by_client[name], figure) is not None}
                  for name in names}
        yield plot, title, form, values


def sweep_section(results, least, plots):
    """Tables over concurrency, and the plots: a folder's name, relative to the document; None: none."""
    points = [scenario.concurrency for scenario in SWEEP if scenario.name in results]
    if not points:
        return None
    parts = ["### HTTP/1.1, 1 KiB, over the number of requests in flight (`sweep-…`)\n"]
    for plot, title, form, values in sweep(results, least):
        parts.append(f"{title}:\n")
        parts += [f"![{title} over requests in flight]({plots}/{plot}.svg)\n"] if plots else []
        rows = [[name, *[number(by_point.get(point), form) for point in points]]
                for name, by_point in values.items()]
        parts.append(_table(["client", *[f"{point:,}" for point in points]], rows))
    return "\n".join(parts)


def document(machine, sections):
    facts = "\n".join(f"- {name}: {value}" for name, value in machine.items())
    return ("# Measured\n\nWritten by `Benchmarks/run`; `Benchmarks/README.md` says how to read it.\n\n"
            f"{facts}\n\n" + "\n".join(sections))
