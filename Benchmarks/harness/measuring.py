"""Runs the clients, round after round, and adds what the servers have seen of each run."""

import sys

from .order import Order

_MOST_FAILURES = 2  # then a client is left out of the scenario's further rounds


class Measuring:
    def __init__(self, servers, clients, arguments):
        self._servers = servers
        self._clients = [client for client in clients
                         if client.in_quick or not arguments.quick or arguments.client]
        self._quick = arguments.quick
        self._rounds = arguments.rounds or (2 if arguments.quick else 5)
        self._requests = arguments.requests
        self._other_libcurl = arguments.other_libcurl

    def least_memory(self):
        """The peak in KiB of each client that does one small request, if it is known."""
        least = {}
        for client in self._clients:
            if client.takes_part(client.least):
                run = client.run(Order(client.least, self._servers, 1))
                if run.get("max_rss_kb"):
                    least[client.name] = run["max_rss_kb"]
        return least

    def measure(self, scenario):
        """Interleaved: A B C, then C B A, so that a slow spell of the machine hits all alike."""
        able = [client for client in self._clients if client.takes_part(scenario)]
        runs = {client.name: [] for client in able}
        for index in range(min(self._rounds, scenario.most_rounds)):
            for client in able if index % 2 == 0 else reversed(able):
                if sum("failure" in run for run in runs[client.name]) < _MOST_FAILURES:
                    runs[client.name].append(self._run(client, scenario))
        return runs

    def _run(self, client, scenario):
        requests = min(self._requests or scenario.requests,
                       client.requests(scenario, self._quick))
        if scenario.to_file and scenario.mode == "download":
            self._servers.touch_memory(requests * scenario.body_bytes)
        before = self._servers.counts(scenario.server)
        run = client.run(Order(scenario, self._servers, requests, self._other_libcurl))
        if "failure" in run:
            print(f"  {client.name}: {run['failure']}", file=sys.stderr, flush=True)
        after = self._servers.counts(scenario.server)
        since = 0 if after["is_since_last"] else before["accepted"]
        run["connections_seen"] = after["accepted"] - since - 1
        run["dropped"] = after["dropped"]
        self._check_upload(scenario, run, after["swallowed"])
        return run

    def _check_upload(self, scenario, run, swallowed):
        if scenario.mode != "upload" or "failure" in run:
            return
        expected = run["completed"] * scenario.body_bytes
        if swallowed != expected:
            run["errors"] += 1
            run["first_error"] = f"the server has read {swallowed} bytes instead of {expected}"
