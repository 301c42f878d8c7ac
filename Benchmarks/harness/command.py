"""The command line of `run`."""

import argparse
import pathlib
import signal
import sys

from . import clients, machine, scenarios
from .building import build
from .measuring import Measuring
from .output import Output
from .servers import Servers

FOLDER = pathlib.Path(__file__).resolve().parent.parent


def _arguments():
    parser = argparse.ArgumentParser(
        prog="run", description="Measures the clients side by side. See README.md.")
    parser.add_argument("--quick", action="store_true",
                        help="fewer scenarios, requests and rounds: under three minutes")
    parser.add_argument("--rounds", type=int, help="runs of each client (5; 2 with --quick)")
    parser.add_argument("--requests", type=int, help="this many in each run: to try something out")
    parser.add_argument("--scenario", action="append", metavar="NAME", help="only this one")
    parser.add_argument("--client", action="append", metavar="NAME",
                        help="only this one, beside the floor")
    parser.add_argument("--output", type=pathlib.Path, default=FOLDER / ".build" / "results",
                        help="the folder for results.json, results.md and plots")
    parser.add_argument("--add", action="store_true",
                        help="keep what results.json has of scenarios that aren't measured now")
    parser.add_argument("--publish", action="store_true",
                        help="write Results.md and Plots beside README.md, too")
    parser.add_argument("--other-libcurl", type=_libcurl_folder, metavar="FOLDER",
                        help="measure h1-64-other with the libcurl.so.4 in this folder")
    parser.add_argument("--no-peers", action="store_true",
                        help="without the clients in Peers: saves some minutes of building")
    parser.add_argument("--no-build", action="store_true", help="measure what has been built")
    parser.add_argument("--list", action="store_true", help="name the scenarios and the clients")
    return parser.parse_args()


def _libcurl_folder(text):
    folder = pathlib.Path(text).resolve()
    if not (folder / "libcurl.so.4").exists():
        raise argparse.ArgumentTypeError(f"there is no libcurl.so.4 in {folder}")
    if machine.libcurl(folder) in ("unknown", machine.libcurl()):
        raise argparse.ArgumentTypeError(f"the libcurl.so.4 in {folder} is the system's, or can't be loaded")
    return folder


def _build(with_peers):
    build(FOLDER)
    build(FOLDER, product="batchfetch")
    # The library's own figures are to be had without them.
    if with_peers and not build(FOLDER / "Peers", check=False):
        print("the peers weren't built, and are left out", file=sys.stderr)


def _list():
    for scenario in scenarios.ALL:
        print(f"scenario {scenario.name:19} {scenario.title}")
    for client in clients.all_clients(FOLDER):
        print(f"client   {client.name}{'' if client.is_present else '  (not there)'}")


def _chosen(things, names, what):
    unknown = set(names or []) - {thing.name for thing in things}
    if unknown:
        raise SystemExit(f"no {what} has the name {sorted(unknown)[0]}; see --list")
    return [thing for thing in things if not names or thing.name in names]


def _present(arguments):
    wanted = arguments.client and [clients.FLOOR, *arguments.client]
    chosen = _chosen(clients.all_clients(FOLDER), wanted, "client")
    for client in chosen:
        if not client.is_present:
            print(f"{client.name} isn't there, and is left out", file=sys.stderr)
    return [client for client in chosen
            if client.is_present and (wanted or not client.is_asked_for)]


def _chosen_scenarios(arguments):
    chosen = _chosen(scenarios.ALL, arguments.scenario, "scenario")
    is_all = not arguments.quick or arguments.scenario
    return [scenario for scenario in chosen
            if (is_all or scenario.quick_requests) and _has_libcurl(scenario, arguments)]


def _has_libcurl(scenario, arguments):
    if not scenario.other_libcurl or arguments.other_libcurl:
        return True
    if arguments.scenario:
        raise SystemExit(f"{scenario.name} needs --other-libcurl")
    print(f"{scenario.name} needs --other-libcurl, and is left out", file=sys.stderr)
    return False


def main():
    # When this process is terminated, its servers end, too.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    arguments = _arguments()
    if arguments.list:
        _list()
        return 0
    chosen = _chosen_scenarios(arguments)
    if not arguments.no_build:
        _build(not arguments.no_peers)
    present = _present(arguments)
    uses_other = any(scenario.other_libcurl for scenario in chosen)
    facts = machine.describe(FOLDER, arguments.other_libcurl if uses_other else None)
    output = Output(arguments.output, facts, arguments)
    with Servers(FOLDER / ".build/release") as servers:
        measuring = Measuring(servers, present, arguments)
        output.least.update(measuring.least_memory())
        for scenario in chosen:
            print(f"measuring {scenario.name}", file=sys.stderr, flush=True)
            output.add(scenario, measuring.measure(scenario))
    output.finish()
    if arguments.publish:
        output.publish(FOLDER)
    return 0
