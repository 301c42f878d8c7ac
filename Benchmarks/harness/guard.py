"""The command line of `guard`."""

import argparse
import json
import pathlib
import signal
import sys
import tempfile

from . import counting, machine
from .building import build

FOLDER = pathlib.Path(__file__).resolve().parent.parent
THRESHOLDS = FOLDER / "thresholds.json"


def _arguments():
    parser = argparse.ArgumentParser(prog="guard", description=__doc__)
    parser.add_argument("--renew", action="store_true", help="store what is counted now")
    parser.add_argument("--instructions", action="store_true",
                        help="show instructions per request instead; needs valgrind")
    parser.add_argument("--rounds", type=int, help="measurements of each figure (3)")
    parser.add_argument("--no-build", action="store_true", help="measure what has been built")
    parser.add_argument("--shared", action="store_true",
                        help="build in the folder of the library's package, with what is compiled there")
    return parser.parse_args()


def _print_row(scenario, client, *cells):
    print(f"{scenario:14}{client:16}" + "".join(f"{cell:>14}" for cell in cells), flush=True)


def _instructions(products, folder):
    if not counting.Instructions.are_countable():
        raise SystemExit("valgrind is needed: apt-get install valgrind")
    counter = counting.Instructions(products, folder)
    print("Instructions per request, the kernel's left out\n")
    _print_row("scenario", "client", "instructions", "x floor")
    with counting.servers(products) as urls:
        for scenario in counting.SCENARIOS:
            floor = None
            for client in (counting.FLOOR, *counting.LAYERS):
                figure, = counting.per_request(counter, client, scenario, urls, 1)
                floor = floor or figure
                _print_row(scenario.name, client, f"{figure:,.0f}", f"{figure / floor:.2f}")
    return 0


def _count(products, folder, rounds, stored):
    """What each layer allocates more than the floor does, by scenario; prints the table."""
    counter = counting.Allocations(products, folder)
    print("Allocations per request\n")
    _print_row("scenario", "client", "floor", "client", "difference", "threshold", "KiB more")
    found = {}
    with counting.servers(products) as urls:
        for scenario in counting.SCENARIOS:
            floor, floor_bytes = counting.per_request(
                counter, counting.FLOOR, scenario, urls, rounds)
            for layer in counting.LAYERS:
                calls, size = counting.per_request(counter, layer, scenario, urls, rounds)
                name = f"{scenario.name} {layer}"
                found[name] = round(calls - floor, 2)
                threshold = f"{stored[name]:.2f}" if name in stored else "none"
                _print_row(scenario.name, layer, f"{floor:.2f}", f"{calls:.2f}",
                           f"{found[name]:.2f}", threshold, f"{(size - floor_bytes) / 1024:.2f}")
    return found


def _libraries():
    facts = machine.describe(FOLDER)
    return {"libcurl": facts["libcurl"].split("(")[0].strip(), "Swift": facts["Swift (and URLSession)"]}


def _renew(found, tolerance):
    THRESHOLDS.write_text(json.dumps(
        {"tolerance": tolerance, "counted with": _libraries(), "more than the floor": found},
        indent=4) + "\n")
    print(f"\nstored in {THRESHOLDS.name}")
    return 0


def _changed(found, stored, tolerance):
    """What has changed by more than the tolerance, by name; growth is above zero."""
    changes = {name: found[name] - stored.get(name, 0) for name in found}
    return {name: change for name, change in changes.items() if abs(change) > tolerance}


def _judge(found, thresholds):
    """The exit status: 1 where a scenario allocates more than is stored, or others are stored."""
    tolerance = thresholds["tolerance"]
    changes = _changed(found, thresholds["more than the floor"], tolerance)
    grown = {name: change for name, change in changes.items() if change > 0}
    unknown = set(found) ^ set(thresholds["more than the floor"])
    print()
    for name in sorted(unknown):
        print(f"{name}: {'not stored' if name in found else 'stored, and not counted any more'}")
    for name, change in changes.items():
        print(f"{name}: {abs(change):.2f} allocations per request "
              f"{'MORE' if change > 0 else 'fewer'} than stored")
    for what, version in _libraries().items():
        if changes and version != thresholds["counted with"].get(what):
            print(f"Stored with {thresholds['counted with'].get(what)}, counted with {version}.")
    if changes or unknown:
        print("If that is as it should be, store it: Benchmarks/guard --renew")
    if not grown and not unknown:
        print(f"No scenario allocates more than is stored (tolerance {tolerance}).")
    return 1 if grown or unknown else 0


def main():
    # When this process is terminated, its servers end, too.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    arguments = _arguments()
    built = (FOLDER.parent if arguments.shared else FOLDER) / ".build"
    if not arguments.no_build:
        build(FOLDER, shared=built if arguments.shared else None)
    products = built / "release"
    counting.make_steady()
    thresholds = json.loads(THRESHOLDS.read_text()) if THRESHOLDS.exists() else {
        "tolerance": 0.5, "counted with": {}, "more than the floor": {}}
    with tempfile.TemporaryDirectory(prefix="benchmarks-guard-") as folder:
        if arguments.instructions:
            return _instructions(products, folder)
        found = _count(
            products, folder, arguments.rounds or 3, thresholds["more than the floor"])
    return (_renew(found, thresholds["tolerance"]) if arguments.renew
            else _judge(found, thresholds))
