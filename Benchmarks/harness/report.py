"""Medians, ratios to the floor, and the Markdown table."""

import statistics

from .clients import FLOOR


class Figures:
    """The medians of one client's runs of one scenario."""

    def __init__(self, runs):
        self.failures = [run["failure"] for run in runs if "failure" in run]
        good = [run for run in runs if "failure" not in run and run["completed"] > 0]
        self.errors = sum(run["errors"] for run in runs if "failure" not in run)
        self.first_error = next((run["first_error"] for run in runs if run.get("first_error")), None)
        self.count = len(good)
        if not good:
            return
        self.rates = sorted(run["rps"] for run in good)
        self.rate = statistics.median(self.rates)
        self.user = statistics.median(run["cpu_user_s"] / run["completed"] * 1e6 for run in good)
        self.system = statistics.median(run["cpu_sys_s"] / run["completed"] * 1e6 for run in good)
        self.cpu = statistics.median(
            (run["cpu_user_s"] + run["cpu_sys_s"]) / run["completed"] * 1e6 for run in good)
        self.seconds = statistics.median(run["seconds"] for run in good)
        self.p50 = statistics.median(run["p50_ms"] for run in good)
        self.p99 = statistics.median(run["p99_ms"] for run in good)
        self.memory = statistics.median(run["max_rss_kb"] for run in good)
        self.connections = statistics.median(run["connections_opened"] for run in good)
        self.concurrency = good[0]["concurrency"]


def _ratio(value, floor):
    return f"{value / floor:.2f}" if floor else "–"


def _state(figures):
    parts = [str(figures.errors)]
    if figures.first_error:
        parts.append(figures.first_error)
    if figures.failures:
        parts.append(f"{len(figures.failures)} runs failed: {figures.failures[0]}")
    return "; ".join(parts).replace("|", "/")


def _row(scenario, name, figures, floor):
    if figures.count == 0:
        return [name, "0", *[""] * (_width(scenario) - 3), _state(figures)]
    cpu = f"**{figures.cpu:.1f}** ({figures.user:.1f}+{figures.system:.1f})"
    cells = [name, str(figures.count)]
    if scenario.counts_wall:
        each = figures.memory / figures.concurrency
        floor_each = floor.memory / floor.concurrency if floor else 0
        cells += [f"**{figures.seconds:.2f}**", _ratio(figures.seconds, floor and floor.seconds),
                  f"**{each:.1f}**", _ratio(each, floor_each)]
    else:
        low, high = figures.rates[0], figures.rates[-1]
        cells += [f"**{figures.rate:,.0f}** ({low:,.0f}–{high:,.0f})",
                  _ratio(figures.rate, floor and floor.rate)]
    cells += [cpu, _ratio(figures.cpu, floor and floor.cpu), f"{figures.p50:.3f}",
              _ratio(figures.p50, floor and floor.p50), f"{figures.p99:.3f}",
              f"{figures.memory / 1024:.1f}", f"{figures.connections:.0f}", _state(figures)]
    return cells


def _header(scenario):
    first = (["wall s", "× floor", "KiB per request in flight", "× floor"] if scenario.counts_wall
             else ["requests/s (min–max)", "× floor"])
    return ["client", "runs", *first, "CPU µs/request (user+system)", "× floor", "p50 ms", "× floor",
            "p99 ms", "peak MiB", "connections", "errors"]


def _width(scenario):
    return len(_header(scenario))


def _line(cells):
    return "| " + " | ".join(cells) + " |"


def table(scenario, runs_by_client):
    """The Markdown section of one scenario."""
    figures = {name: Figures(runs) for name, runs in runs_by_client.items()}
    floor = figures.get(FLOOR)
    if floor and floor.count == 0:
        floor = None
    lines = [f"### {scenario.title} (`{scenario.name}`)", "", _line(_header(scenario)),
             _line(["---"] + ["---:"] * (_width(scenario) - 2) + ["---"])]
    lines += [_line(_row(scenario, name, one, floor)) for name, one in figures.items()]
    return "\n".join(lines) + "\n"


def document(machine, sections):
    facts = "\n".join(f"- {name}: {value}" for name, value in machine.items())
    return f"# Measured\n\n{facts}\n\n" + "\n".join(sections)
