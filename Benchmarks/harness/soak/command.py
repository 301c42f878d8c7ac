"""The command line of `soak`."""

import argparse
import pathlib
import random
import signal
import sys

from .. import processes
from ..building import build
from . import checks, report
from .running import Run
from .schedule import KINDS

FOLDER = pathlib.Path(__file__).resolve().parent.parent.parent
PRODUCTS = FOLDER / ".build" / "release"
GATEWAYS = FOLDER / "Gateway" / ".build" / "release"
HELPERS = ("farproxy", "nameserver", "countingclient")
# async-http-client reads certificates once.
PEER_KINDS = [kind for kind in KINDS if kind not in ("certificate", "identity")]
# Seconds that the requests may take.
_LONGEST = 9000


def _arguments():
    parser = argparse.ArgumentParser(
        prog="soak", description="Drives the gateway for long, while faults are injected. See README.md.")
    parser.add_argument("--requests", type=int, default=10_000_000, help="how many (10,000,000)")
    parser.add_argument("--seconds", type=int,
                        help="send no further request after so long (a run that needs more than two and "
                             "a half hours for its requests fails)")
    parser.add_argument("--connections", type=int, default=64,
                        help="the client's, each with one request at a time (64)")
    parser.add_argument("--gap", type=float, default=6, help="mean seconds between two faults (6)")
    parser.add_argument("--seed", type=int, help="of the faults' schedule (a random one, which is printed)")
    parser.add_argument("--interval", type=float, default=2, help="seconds between two samples (2)")
    parser.add_argument("--peer", action="store_true",
                        help="the same with ahcgateway after it, side by side; it decides no verdict")
    parser.add_argument("--gateway", type=pathlib.Path, help="this program instead of the built one")
    parser.add_argument("--peer-gateway", type=pathlib.Path, help="the same for the peer")
    parser.add_argument("--programs", type=pathlib.Path, default=PRODUCTS,
                        help="the folder of " + ", ".join(HELPERS))
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", dest="settings",
                        help="an environment variable of the gateway")
    parser.add_argument("--output", type=pathlib.Path, default=FOLDER / ".build" / "results",
                        help="the folder for soak.txt and soak.json")
    parser.add_argument("--no-build", action="store_true", help="use what has been built")
    parser.add_argument("--check", action="store_true",
                        help="check what judges a run, without one: takes less than a second")
    arguments = parser.parse_args()
    _complete(arguments, parser)
    return arguments


def _complete(arguments, parser):
    if min(arguments.requests, arguments.connections, arguments.gap, arguments.interval,
           1 if arguments.seconds is None else arguments.seconds) <= 0:
        parser.error("numbers are above zero")
    if not all("=" in setting for setting in arguments.settings):
        parser.error("--set needs NAME=VALUE")
    arguments.settings = dict(setting.split("=", 1) for setting in arguments.settings)
    arguments.is_bounded = arguments.seconds is not None
    arguments.seconds = arguments.seconds or _LONGEST
    if arguments.seed is None:
        arguments.seed = random.SystemRandom().randrange(1 << 32)
    arguments.gateway = arguments.gateway or GATEWAYS / "gateway"
    if arguments.peer or arguments.peer_gateway:
        arguments.peer_gateway = arguments.peer_gateway or GATEWAYS / "ahcgateway"


def _build(arguments):
    for name in HELPERS:
        build(FOLDER, product=name)
    build(FOLDER / "Gateway", product="gateway")
    if arguments.peer_gateway:
        build(FOLDER / "Gateway", product="ahcgateway")


def _perform(programs, arguments):
    runs = []
    for program, kinds in programs:
        try:
            runs.append(Run(program.resolve(), arguments, kinds).perform())
        except processes.Failure as failure:
            if not runs:
                raise SystemExit(f"soak: {failure}") from None
            # The peer decides nothing: the report is that of the gateway alone.
            print(f"soak: {program.name}: {failure}", file=sys.stderr)
    return runs


def main():
    # When this process is terminated, its servers end, too.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    arguments = _arguments()
    if arguments.check:
        return 0 if checks.are_kept() else 1
    if not arguments.no_build:
        _build(arguments)
    programs = [(arguments.gateway, KINDS)]
    if arguments.peer_gateway:
        programs.append((arguments.peer_gateway, PEER_KINDS))
    print(f"seed {arguments.seed}", file=sys.stderr, flush=True)
    runs = _perform(programs, arguments)
    report.write(runs, arguments, FOLDER)
    print(report.text(runs, arguments))
    return 0 if all(verdict.is_kept for verdict in runs[0].verdicts) else 1
