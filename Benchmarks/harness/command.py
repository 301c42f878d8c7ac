"""The command line of `run`."""

import argparse
import json
import pathlib
import subprocess
import sys

from . import clients, machine, report, scenarios
from .servers import Servers

FOLDER = pathlib.Path(__file__).resolve().parent.parent
PRODUCTS = FOLDER / ".build" / "release"


def _arguments():
    parser = argparse.ArgumentParser(prog="run", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer requests and rounds")
    parser.add_argument("--rounds", type=int, help="runs of each client (5; 3 with --quick)")
    parser.add_argument("--scenario", action="append", metavar="NAME", help="only this one")
    parser.add_argument("--client", action="append", metavar="NAME",
                        help="only this one, beside the floor")
    parser.add_argument("--output", type=pathlib.Path, default=FOLDER / ".build" / "results",
                        help="the folder for results.json and results.md")
    parser.add_argument("--no-build", action="store_true", help="measure what has been built")
    parser.add_argument("--list", action="store_true", help="name the scenarios and the clients")
    return parser.parse_args()


def _chosen(things, names, what):
    unknown = set(names or []) - {thing.name for thing in things}
    if unknown:
        raise SystemExit(f"no {what} has the name {sorted(unknown)[0]}; see --list")
    return [thing for thing in things if not names or thing.name in names]


def _measure(scenario, present, servers, rounds, quick):
    """Interleaved: A B C, then C B A, so that a slow spell of the machine hits all alike."""
    able = [client for client in present if client.can(scenario)]
    runs = {client.name: [] for client in able}
    for index in range(rounds):
        for client in able if index % 2 == 0 else reversed(able):
            runs[client.name].append(client.run(scenario, servers, quick))
    return runs


def main():
    arguments = _arguments()
    known = clients.all_clients(PRODUCTS)
    if arguments.list:
        for thing in scenarios.ALL:
            print(f"scenario {thing.name:12} {thing.title}")
        for client in known:
            print(f"client   {client.name}{'' if client.is_present else '  (not built)'}")
        return 0
    if not arguments.no_build:
        # Without it, SwiftPM overlooks files that have come into the library's own package.
        (FOLDER / "Package.swift").touch()
        subprocess.run(["swift", "build", "-c", "release", "--package-path", str(FOLDER)],
                       check=True, stdout=sys.stderr)
        known = clients.all_clients(PRODUCTS)
    wanted = arguments.client and [clients.FLOOR, *arguments.client]
    present = [client for client in _chosen(known, wanted, "client") if client.is_present]
    rounds = arguments.rounds or (3 if arguments.quick else 5)
    facts = machine.describe(FOLDER)
    results, sections = {}, []
    with Servers(str(PRODUCTS / "delayserver")) as servers:
        for scenario in _chosen(scenarios.ALL, arguments.scenario, "scenario"):
            print(f"measuring {scenario.name}", file=sys.stderr, flush=True)
            runs = _measure(scenario, present, servers, rounds, arguments.quick)
            results[scenario.name] = runs
            sections.append(report.table(scenario, runs))
            print(sections[-1], flush=True)
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "results.json").write_text(
        json.dumps({"machine": facts, "quick": arguments.quick, "scenarios": results}, indent=1))
    (arguments.output / "results.md").write_text(report.document(facts, sections))
    print(f"written: {arguments.output}/results.md and results.json", file=sys.stderr)
    return 0
