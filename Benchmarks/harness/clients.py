"""The clients that can be measured, if they are built or installed."""

from .batch_clients import Aria2, BatchFetch, CurlList, Wget2, XargsCurl
from .curl_command import CurlCommand
from .fleet_client import BatchFetchFleet
from .load_client import LoadClient, SecondLoop, URLSessionClient
from .load_generators import H2load, Wrk
from .scenarios import SHARD_SIZES

FLOOR = "cfloor-handoff-1"


def all_clients(folder):
    """All that are known, present or not. `folder` is the package's."""
    products, peers = folder / ".build/release", folder / "Peers/.build/release"
    floor, ours = f"{products}/cfloor", f"{products}/loadclient"
    urlsession = f"{peers}/urlsessionclient"
    ahc = f"{peers}/ahcclient"
    return [
        # Those that are compared most stand side by side, and so run within the same seconds.
        LoadClient("transport", ours, "--layer", "transport"),
        LoadClient(FLOOR, floor, "--floor", "handoff"),
        LoadClient("async", ours, "--layer", "async"),
        LoadClient("async-pool", ours, "--layer", "async-pool", only=["h1-64"]),
        LoadClient("cfloor-shards-1", floor, "--floor", "shards", in_quick=False,
                   only=["h1-256", "sweep-256"]),
        *[LoadClient(name, floor, "--floor", "shards", "--shard-size", str(size), only=[],
                     is_asked_for=True) for name, size in SHARD_SIZES.items()],
        # Scenarios on two loops name these.
        SecondLoop("transport-2", ours, "--layer", "transport", only=[]),
        SecondLoop("cfloor-handoff-2", floor, "--floor", "handoff"),
        SecondLoop("async-2", ours, "--layer", "async", only=[]),
        LoadClient("cfloor-bare-1", floor, "--floor", "bare"),
        SecondLoop("cfloor-bare-2", floor, "--floor", "bare"),
        LoadClient("curlurlsession", ours, "--layer", "urlsession"),
        URLSessionClient("urlsession", urlsession, "--form", "async"),
        # Completion handlers are compared where the number of requests matters.
        LoadClient("curlurlsession-handler", ours, "--layer", "urlsession-handler", only=["h1-64"]),
        URLSessionClient("urlsession-handler", urlsession, "--form", "handler", only=["h1-64"]),
        LoadClient("curlnetworking", ours, "--layer", "networking", only=["h1-64"]),
        LoadClient("curlnetworking-handler", ours, "--layer", "networking-handler", only=["h1-64"]),
        LoadClient("ahc-1", ahc),
        SecondLoop("ahc-2", ahc),
        CurlCommand(),
        Wrk(),
        H2load(),
        BatchFetch(f"{products}/batchfetch"),
        BatchFetchFleet(f"{products}/batchfetch", 1),
        BatchFetchFleet(f"{products}/batchfetch", 4),
        CurlList(300),
        CurlList(100, in_quick=False),
        CurlList(50, in_quick=False),
        Aria2(),
        Wget2(),
        XargsCurl(),
    ]
