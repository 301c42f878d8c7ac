"""The scenarios: what is asked of every client."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    title: str
    server: str  # a name in Servers.urls
    path: str
    requests: int
    concurrency: int
    body_bytes: int
    quick_requests: int
    mode: str = "get"
    http2: bool = False
    reuses: bool = True
    roots: str = "own"  # "own": the file with one root; "system": the system's and ours
    pinned: bool = False  # the client on one core, another one than the servers'
    counts_wall: bool = False  # wall time and memory for each request are the figures, not rates

    def arguments(self, servers, quick):
        """The command line that all load clients share."""
        requests = self.quick_requests if quick else self.requests
        result = ["--url", servers.urls[self.server] + self.path, "--requests", str(requests),
                  "--concurrency", str(self.concurrency), "--mode", self.mode,
                  "--body-bytes", str(self.body_bytes)]
        if self.server == "tls":
            result += ["--cacert",
                       servers.bundle_file if self.roots == "system" else servers.ca_file]
        if self.http2:
            result.append("--http2")
        if not self.reuses:
            result.append("--no-reuse")
        return result


ALL = [
    Scenario("h1-1", "HTTP/1.1, 1 KiB, one at a time, client on one core", "plain", "/1k",
             30000, 1, 1024, 10000, pinned=True),
    Scenario("h1-64", "HTTP/1.1, 1 KiB, 64 in flight", "plain", "/1k", 100000, 64, 1024, 30000),
    Scenario("h1-256", "HTTP/1.1, 1 KiB, 256 in flight", "plain", "/1k", 100000, 256, 1024, 30000),
    Scenario("tls-64", "TLS 1.3, 1 KiB, kept connections, 64 in flight", "tls", "/1k",
             50000, 64, 1024, 20000),
    Scenario("h2-100", "HTTP/2 over TLS, 1 KiB, one connection, 100 streams", "tls", "/1k",
             50000, 100, 1024, 20000, http2=True),
    Scenario("tls-new", "A new TLS connection for each request, system roots, 16 in flight", "tls",
             "/1k", 1000, 16, 1024, 300, reuses=False, roots="system"),
    Scenario("wait-10000", "10,000 in flight, the server waits 1 s", "delay1s", "/",
             10000, 10000, 0, 10000, counts_wall=True),
]
