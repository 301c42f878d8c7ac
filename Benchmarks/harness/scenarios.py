"""The scenarios: what is asked of every client."""

import dataclasses
import enum


class Kind(enum.Enum):
    """What a scenario's figures are."""

    RATE = "rate"  # requests per second, CPU for each
    WAIT = "wait"  # wall time, memory for each request in flight
    IDLE = "idle"  # CPU in all
    BULK = "bulk"  # bytes per second, growth of memory
    START = "start"  # a process that does one GET, from outside
    FILES = "files"  # files per second, CPU for each


# The delays, in milliseconds each way, of the proxies before the server "plain".
FAR_DELAYS = (20, 100)
# Of so many responses that pass such a proxy, one is cut in half.
FAR_DROP_EVERY = 500


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    title: str
    kind: Kind
    server: str  # a name in Servers.urls
    requests: int
    quick_requests: int | None  # None: not with --quick
    concurrency: int = 1
    path: str = "/1k"
    body_bytes: int = 1024
    mode: str = "get"
    source: str | None = None  # the file to upload; None: from memory
    to_file: bool = False
    http2: bool = False
    reuses: bool = True
    roots: str = "own"  # "own": the file with one root; "system": the system's and ours
    pinned: bool = False  # the client on one core, another one than the servers'
    # The client's event loop on one core, and its other threads on the other ones.
    loop_apart: bool = False
    most_rounds: int = 100
    limit: int = 120  # seconds for one run
    clients: tuple[str, ...] | None = None  # those that take part; None: all that can
    hosts: str | None = None  # URLs have several hosts: "addresses" or "names"; None: one host
    host_count: int | None = None  # of the hosts; None: each URL has another one
    other_libcurl: bool = False  # with the libcurl that --other-libcurl names


def _wait(concurrency, quick):
    return Scenario(f"wait-{concurrency}", f"{concurrency:,} in flight, the server waits 1 s",
                    Kind.WAIT, "delay1s", concurrency, quick and concurrency, concurrency, "/")


def _bulk(name, title, mode, requests, quick_requests, **others):
    """Large bodies, one after the other: so many that it takes long enough to be timed."""
    server, path, size = (("plain", "/1g", 1 << 30) if mode == "download"
                          else ("swallow", "/", 256 << 20))
    return Scenario(name, title, Kind.BULK, server, requests, quick_requests, 1, path, size, mode,
                    **others)


def _sweep(concurrency):
    return Scenario(f"sweep-{concurrency}", f"HTTP/1.1, 1 KiB, {concurrency} in flight",
                    Kind.RATE, "plain", 10000 if concurrency == 1 else 50000, None, concurrency,
                    most_rounds=3)


# Each with a number of transfers in each shard. They are measured only if they are named.
SHARD_SIZES = {f"cfloor-shards{size}-1": size for size in (16, 32, 128)}

# Those that take thousands of requests in flight to one origin.
_MANY_CLIENTS = ("transport", "cfloor-handoff-1", "async", "cfloor-shards-1", *SHARD_SIZES,
                 "cfloor-bare-1", "curlurlsession", "urlsession", "ahc-1", "wrk", "h2load")


def _many(concurrency, requests, most_rounds):
    """Each connection is used some 20 times or more, so that opening it counts little."""
    return Scenario(f"h1-{concurrency}", f"HTTP/1.1, 1 KiB, {concurrency:,} in flight", Kind.RATE,
                    "plain", requests, None, concurrency, most_rounds=most_rounds,
                    limit=300, clients=_MANY_CLIENTS)


def _two_loops(concurrency):
    return Scenario(f"two-loops-{concurrency}",
                    f"HTTP/1.1, 1 KiB, one origin on two loops, {concurrency} in flight", Kind.RATE,
                    "plain", 100000, None, concurrency,
                    clients=("transport-2", "cfloor-handoff-2", "async-2", "cfloor-handoff-1",
                             "ahc-2"))


def _far(concurrency, delay, requests):
    """Through a proxy that delays, and cuts some responses in half."""
    return Scenario(f"far-{concurrency}",
                    f"HTTP/1.1, 1 KiB, {delay} ms away, {concurrency:,} in flight, one response in "
                    f"{FAR_DROP_EVERY} breaks off", Kind.RATE, f"far{delay}", requests, None,
                    concurrency, most_rounds=3,
                    clients=("transport", "cfloor-handoff-1", "async", "curlurlsession",
                             "urlsession", "ahc-1",
                             *(["curl --parallel"] if concurrency <= 300 else [])))


# Those that are given a list of URLs, and make files of them.
LISTS_TO_FILES = ("batchfetch", "curl -Z 300", "curl -Z 100", "curl -Z 50", "aria2c", "wget2",
                  "xargs curl")


def _batch_null(concurrency, quick_requests):
    return Scenario(f"batch-null-{concurrency}",
                    f"A list of URLs of 1 KiB, {concurrency} in flight, bodies dropped", Kind.RATE,
                    "plain", 100000, quick_requests, concurrency, "/b/",
                    clients=("batchfetch", "async", "cfloor-handoff-1"))


def _batch_few_hosts(count):
    """Many URLs for each host: one end of the plot."""
    return Scenario(f"batch-hosts-{count}", "A list of 20,000 URLs of "
                    f"{'one host' if count == 1 else f'{count:,} hosts'} (addresses), 1,000 in flight, "
                    "bodies dropped", Kind.RATE, "hosts", 20000, None, 1000, "/", most_rounds=3,
                    clients=("batchfetch", "curl -Z 300"), hosts="addresses", host_count=count)


def _batch_hosts(hosts, count, in_quick):
    """One URL for each host. `curl` has no name server, and 200,000 hosts would take it too long."""
    clients = ("batchfetch",)
    if hosts == "addresses" and count <= 20000:
        clients += ("curl -Z 300",)
    word = "hosts" if hosts == "addresses" else "names"
    return Scenario(f"batch-{word}-{count}", f"A list of {count:,} hosts ({hosts}), one URL each, "
                    "1,000 in flight, bodies dropped", Kind.RATE, "hosts", count,
                    count if in_quick else None, 1000, "/", most_rounds=3, limit=900,
                    clients=clients, hosts=hosts)


def _fleet_of_one(name, in_flight):
    # An event loop alone uses a core. What a fleet needs in addition comes from the other ones.
    return Scenario(
        name, f"A list of 200,000 URLs of 100 hosts (addresses), {in_flight} in flight, bodies "
        "dropped: alone, and from the queue of a fleet; the event loop's thread has a core of its own",
        Kind.RATE, "hosts", 200000, None, in_flight, "/", loop_apart=True, most_rounds=10, limit=300,
        clients=("batchfetch", "batchfetch-fleet"), hosts="addresses", host_count=100)


# Points of the plots that need no table of their own.
SWEEP_ALONE = [_sweep(concurrency) for concurrency in (1, 8, 64, 256)]
_MANY = [_many(1000, 100000, 5), _many(4000, 100000, 3), _many(10000, 200000, 3)]
_BATCH_HOSTS = [
    *[_batch_few_hosts(count) for count in (1, 100)],
    *[_batch_hosts(hosts, count, in_quick)
      for hosts in ("addresses", "names")
      for count, in_quick in ((1000, True), (20000, hosts == "addresses"), (200000, False))],
]

# From one request at a time to many, and from one host to many: for the plots.
SWEEP = [*SWEEP_ALONE, *_MANY]
HOSTS_SWEEP = _BATCH_HOSTS

ALL = [
    Scenario("h1-1", "HTTP/1.1, 1 KiB, one at a time, client on one core", Kind.RATE, "plain",
             20000, 5000, 1, pinned=True),
    Scenario("h1-64", "HTTP/1.1, 1 KiB, 64 in flight", Kind.RATE, "plain", 100000, 20000, 64),
    Scenario("h1-256", "HTTP/1.1, 1 KiB, 256 in flight", Kind.RATE, "plain", 100000, None, 256),
    # Those that use libcurl. Its versions differ in what a safe request costs.
    Scenario("h1-64-other", "HTTP/1.1, 1 KiB, 64 in flight, with the other libcurl", Kind.RATE,
             "plain", 100000, None, 64, other_libcurl=True,
             clients=("transport", "cfloor-handoff-1", "async", "cfloor-bare-1", "curlurlsession",
                      "urlsession", "curlurlsession-handler", "urlsession-handler",
                      "curlnetworking", "curlnetworking-handler")),
    *_MANY,
    _two_loops(64),
    _two_loops(256),
    _far(64, 20, 10000),
    _far(1000, 100, 20000),
    Scenario("tls-64", "TLS 1.3, 1 KiB, kept connections, 64 in flight", Kind.RATE, "tls",
             50000, 15000, 64),
    Scenario("h2-100", "HTTP/2 over TLS, 1 KiB, one connection, 100 streams", Kind.RATE, "h2",
             50000, 15000, 100, http2=True),
    Scenario("tls-new", "A new TLS connection for each request, system roots, 16 in flight",
             Kind.RATE, "tls", 1000, 300, 16, reuses=False, roots="system"),
    _wait(1000, True),
    _wait(5000, False),
    _wait(10000, False),
    Scenario("idle-1000", "1,000 waiting 15 s", Kind.IDLE, "delay15s", 1000, None, 1000, "/",
             most_rounds=2),
    Scenario("idle-1", "One waiting 15 s", Kind.IDLE, "delay15s", 1, None, 1, "/", most_rounds=1),
    _bulk("download-null", "1 GiB downloaded to nowhere", "download", 2, 1),
    _bulk("download-file", "1 GiB downloaded to a file", "download", 2, None, to_file=True),
    Scenario("collect-200m", "200 MiB collected in memory", Kind.BULK, "plain", 4, None, 1, "/200m",
             200 << 20),
    _bulk("upload-memory", "256 MiB uploaded from memory", "upload", 4, 1),
    _bulk("upload-file", "256 MiB uploaded from a file", "upload", 4, None, source="256m"),
    Scenario("start", "A process that does one GET", Kind.START, "plain", 40, 15),
    _batch_null(64, 20000),
    _batch_null(256, None),
    Scenario("batch-files", "A list of URLs of 1 KiB, each to a file", Kind.FILES, "plain", 20000,
             4000, 64, "/b/", to_file=True, clients=LISTS_TO_FILES),
    Scenario("batch-slow", "A list of 10,000 URLs, all in flight, the server waits 1 s", Kind.WAIT,
             "delay1s", 10000, None, 10000, "/", most_rounds=3,
             clients=("batchfetch", "async", "curl -Z 300")),
    *_BATCH_HOSTS,
    # As many in flight as the command has without an option.
    _fleet_of_one("fleet-1", 256),
    _fleet_of_one("fleet-1-64", 64),
    # Each worker waits for servers, so that four of them need no four cores.
    Scenario("fleet-4", "A list of 16,000 URLs of 1,600 hosts (addresses), 64 in flight for each worker, "
             "the server waits 100 ms", Kind.RATE, "slowhosts", 16000, None, 64, "/",
             most_rounds=3, limit=300,
             clients=("batchfetch", "batchfetch-fleet", "batchfetch-fleet-of-4"),
             hosts="addresses", host_count=1600),
    *SWEEP_ALONE,
]

# A client's memory in it is what a client needs that does next to nothing.
LEAST = Scenario("least", "One GET", Kind.RATE, "plain", 1, 1)
# The same of a command that reports no memory, and has to be looked at while it waits.
LEAST_WAITING = Scenario("least", "One GET", Kind.WAIT, "delay1s", 1, 1, 1, "/",
                         clients=("batchfetch",))
