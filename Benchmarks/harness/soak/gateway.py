"""The gateway under test: its process, and its own counts."""

import os
import pathlib
import re
import subprocess
import threading
import time
import urllib.request

from .. import processes

# They shorten the time until a moved name is followed.
_SETTINGS = {"HTTP_CLIENT_DNS_LIFETIME": "3", "HTTP_CLIENT_CONNECTIONS_LIFETIME": "5",
             "GATEWAY_LOG": "error"}
# Counters of requests, the first one that the gateway has.
COUNTERS = ("hb_requests_total", "hb_requests", "http_server_request_duration_seconds_count",
            "http_server_requests_total", "requests_total")
_SAMPLE = re.compile(r'^([A-Za-z_:][\w:]*)(\{.*\})?\s+(\S+)')
_OWN = re.compile(r'="/?(health|metrics|ready)"')


def counted(text, names=COUNTERS):
    """The sum of the first of these counters in metrics as Prometheus has them, without the requests for
    the gateway's own pages; None: it has none of them."""
    sums = {}
    for line in text.splitlines():
        sample = _SAMPLE.match(line)
        if sample and sample.group(1) in names and not _OWN.search(sample.group(2) or ""):
            sums[sample.group(1)] = sums.get(sample.group(1), 0) + float(sample.group(3))
    return next((int(sums[name]) for name in names if name in sums), None)


class Gateway:
    """Started by `with`, ended with it."""

    def __init__(self, program, upstreams, home, settings):
        self.name = pathlib.Path(program).name
        self.lines = []
        self.status = None
        self._asked = 0  # times that its own pages were asked for
        certificates = upstreams.certificates
        argv = [str(program), "--port", "0", "--ca", str(certificates.home / "roots.pem"),
                "--certificate", str(certificates.identity / "certificate.pem"),
                "--key", str(certificates.identity / "key.pem")]
        for name, urls in upstreams.routes.items():
            argv += ["--upstream", f"{name}={','.join(urls)}"]
        self._argv = upstreams.with_names(argv)
        self._home = home
        self._environment = {**_SETTINGS, **settings}

    def __enter__(self):
        with open(self._home / f"{self.name}.log", "wb") as log:
            self._process = processes.start(
                self._argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True,
                env={**os.environ, **self._environment})
        self._is_listening = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if not self._is_listening.wait(30) or not self.port:
            processes.end(self._process)
            raise processes.Failure(f"{self.name} doesn't listen; see {self._home}/{self.name}.log")
        return self

    def __exit__(self, *_):
        processes.end(self._process)

    @property
    def identifier(self):
        return self._process.pid

    @property
    def is_running(self):
        return self._process.poll() is None

    @property
    def port(self):
        found = [re.match(r"listening on .*:(\d+)$", line) for line in self.lines]
        return next((int(match.group(1)) for match in found if match), None)

    @property
    def last_counts(self):
        """How many requests it says at its end that it has taken and has completed, without those for its
        own pages; None: it hasn't said."""
        found = [re.search(r"taken (\d+), completed (\d+)", line) for line in self.lines]
        return next(((int(match.group(1)) - self._asked, int(match.group(2)) - self._asked)
                     for match in found if match), None)

    def counted(self, wanted=None, patience=0):
        """The count in its metrics; None: it has none. It counts a request a moment after its response, so
        this waits some seconds for the wanted count."""
        ends = time.monotonic() + patience
        while True:
            self._asked += 1
            count = self._read_count()
            if count == wanted or time.monotonic() >= ends:
                return count
            time.sleep(0.2)

    def _read_count(self):
        url = f"http://127.0.0.1:{self.port}/metrics"
        try:
            with urllib.request.urlopen(url, timeout=10) as response:
                return counted(response.read().decode())
        except OSError:
            return None

    def stop(self, patience):
        """Asks it to end; False: it hasn't within that time."""
        self._process.terminate()
        try:
            self.status = self._process.wait(patience)
        except subprocess.TimeoutExpired:
            return False
        self._reader.join(patience)
        return True

    def _read(self):
        for line in self._process.stdout:
            self.lines.append(line.strip())
            if line.startswith("listening on "):
                self._is_listening.set()
        self._is_listening.set()
