"""The batch fetcher as a fleet: workers that share a run over PostgreSQL."""

import subprocess

from . import database
from .batch_clients import ListClient, limits, list_file
from .processes import Failure

RUN = "measured"
# Seconds for a command that isn't measured. Adding ten million URLs takes eleven minutes.
_LIMIT = 3600

# Starts the command so many times at once, and waits for all of them.
_AT_ONCE = """
count=$0 others= status=0
while [ "$count" -gt 0 ]; do "$@" & others="$others $!"; count=$((count - 1)); done
for other in $others; do wait "$other" || status=$?; done
exit "$status"
"""


def call(program, address, *arguments):
    """Runs `batchfetch fleet`, and returns its output."""
    try:
        ended = subprocess.run([program, "fleet", *arguments, "--queue", address],
                               capture_output=True, text=True, timeout=_LIMIT)
    except subprocess.TimeoutExpired:
        raise Failure(f"fleet {arguments[0]} took more than {_LIMIT} s") from None
    if ended.returncode != 0:
        raise Failure(f"fleet {arguments[0]}: {ended.stderr.strip()[:200]}")
    return ended.stdout


class BatchFetchFleet(ListClient):
    """The list is in the queue before the workers start. CPU is that of the workers alone."""

    def __init__(self, program, workers):
        super().__init__(program)
        self.name = "batchfetch-fleet" if workers == 1 else f"batchfetch-fleet-of-{workers}"
        self.is_present = self.is_present and database.is_available()
        self._workers = workers

    def prepare(self, order):
        super().prepare(order)
        server = order.servers.database()
        server.forget_fleets()
        call(self._program, server.address, "create", RUN, "--discard", "--quiet", *limits(order))
        call(self._program, server.address, "add", RUN, list_file(order))

    def command(self, order):
        worker = [self._program, "fleet", "work", RUN, "--queue", order.servers.database().address]
        return worker if self._workers == 1 else ["sh", "-c", _AT_ONCE, str(self._workers), *worker]

    def _good(self, order, ended):
        """The results that say a URL was fetched, of the right length."""
        good, = order.servers.database().query(
            "SELECT count(*) FROM batchfetch.result WHERE line LIKE '%\"ok\":true,%' "
            f"AND line LIKE '%\"decoded_bytes\":{order.scenario.body_bytes},%'")
        return int(good), 0

    def result(self, order, ended):
        result = super().result(order, ended)
        result["concurrency"] = order.concurrency * self._workers
        if self._workers > 1:
            result["max_rss_kb"] = None  # that of the shell
        return result
