"""One run that is asked of one client: a scenario, with the servers there are and an amount."""

import os
import shutil
import urllib.parse

from . import machine


class Order:
    def __init__(self, scenario, servers, requests, other_libcurl=None):
        """`other_libcurl`: the folder of the libcurl of scenarios that use another one."""
        self.scenario = scenario
        self.servers = servers
        self._other_libcurl = other_libcurl
        self.requests = requests
        self.concurrency = min(scenario.concurrency, requests)

    @property
    def url(self):
        return self.servers.urls[self.scenario.server] + self.scenario.path

    def url_of(self, number):
        """The URL on one line of a list."""
        hosts = self.scenario.hosts
        if hosts is None:
            return f"{self.url}{number}"
        count = self.scenario.host_count
        place = 1 + number % count if count else number
        server = urllib.parse.urlsplit(self.url)
        host = f"h{place}.hosts.test" if hosts == "names" else _address(place)
        return f"{server.scheme}://{host}:{server.port}{server.path}{number}"

    @property
    def roots_file(self):
        """The roots to trust; None without TLS."""
        if not self.url.startswith("https:"):
            return None
        own = self.scenario.roots == "own"
        return self.servers.ca_file if own else self.servers.bundle_file

    @property
    def input_file(self):
        source = self.scenario.source
        return source and str(self.servers.home / "files" / source)

    @property
    def output_file(self):
        return str(self.servers.home / "out") if self.scenario.to_file else None

    def forget_output(self):
        """The file, or the folder of files."""
        if self.output_file and os.path.isdir(self.output_file):
            shutil.rmtree(self.output_file)
        elif self.output_file and os.path.exists(self.output_file):
            os.unlink(self.output_file)

    def of_one_request(self):
        return Order(self.scenario, self.servers, 1, self._other_libcurl)

    @property
    def environment(self):
        """What is set for the client's process."""
        # Downloads that go by way of a temporary file find it on the same file system.
        result = {"TMPDIR": str(self.servers.home)}
        if self.scenario.other_libcurl:
            result["LD_LIBRARY_PATH"] = machine.library_path(self._other_libcurl)
        return result

    def arguments(self):
        """The command line that all load clients share."""
        scenario = self.scenario
        result = ["--url", self.url, "--requests", str(self.requests),
                  "--concurrency", str(self.concurrency), "--mode", scenario.mode,
                  "--body-bytes", str(scenario.body_bytes)]
        for option, value in (("--cacert", self.roots_file), ("--in", self.input_file),
                              ("--out", self.output_file)):
            result += [option, value] if value else []
        result += ["--http2"] if scenario.http2 else []
        return result if scenario.reuses else [*result, "--no-reuse"]


def _address(number):
    """An address of this machine, another one for each number; nameserver has the same ones."""
    return f"127.{1 + (number >> 16)}.{number >> 8 & 255}.{number & 255}"
