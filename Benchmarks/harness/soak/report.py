"""The result of a soak, as text and as JSON."""

import json

from .. import machine


def _number(value):
    if value is None:
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def figures(runs):
    """A table with a column for each run."""
    width = max(len(name) for name in runs[0].figures)
    lines = [" " * width + "".join(f"{run.name:>16}" for run in runs)]
    for name in runs[0].figures:
        lines.append(f"{name:{width}}" + "".join(f"{_number(run.figures[name]):>16}" for run in runs))
    return "\n".join(lines)


def verdicts(run):
    lines = [f"{run.name}:"]
    for verdict in run.verdicts:
        lines.append(f"  {'kept  ' if verdict.is_kept else 'BROKEN'}  {verdict.promise}: {verdict.found}")
    for kind, outcomes in sorted(run.explained.items()):
        named = ", ".join(f"{count:,} × {outcome}" for outcome, count in sorted(outcomes.items()))
        lines.append(f"          explained by {kind}: {named}")
    return "\n".join(lines)


def text(runs, arguments):
    parts = [f"seed {arguments.seed}, {arguments.connections} connections", figures(runs),
             *(verdicts(run) for run in runs)]
    broken = [verdict for verdict in runs[0].verdicts if not verdict.is_kept]
    parts.append("\n".join(f"Broken: {verdict.promise}: {verdict.found}" for verdict in broken)
                 or "Every promise was kept.")
    return "\n\n".join(parts) + "\n"


def write(runs, arguments, folder):
    """soak.txt and soak.json."""
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "soak.txt").write_text(text(runs, arguments))
    result = {"seed": arguments.seed, "machine": machine.describe(folder), "runs": [{
        "name": run.name, "figures": run.figures,
        "verdicts": [vars(verdict) for verdict in run.verdicts],
        "explained failures": run.explained, "other failures": run.others,
        "rotations": run.rotations,
        "samples (s, RSS KiB, PSS KiB, descriptors, threads)": run.samples} for run in runs]}
    (arguments.output / "soak.json").write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
