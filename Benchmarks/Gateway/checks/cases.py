"""What the gateway must do, one function each. Its documentation is its name."""

import hashlib
import http.client
import os
import shutil
import socket
import threading
import time

from . import nginx, processes
from .client import get

CASES = []


def case(common=True):
    """Adds a case; `common` if the gateway over async-http-client must do this, too."""

    def add(function):
        function.is_common = common
        CASES.append(function)
        return function

    return add


def equal(value, expected, what):
    if value != expected:
        raise AssertionError(f"{what} is {value!r}, not {expected!r}")


def script(bench):
    return "--upstream", f"script={bench.upstream.url}"


@case()
def routes_of_the_gateway(bench):
    """health, ready and metrics are answered, and other paths are an error in JSON"""
    with bench.gateway(*script(bench)) as gateway:
        equal(get(gateway, "/health").body, b"ok\n", "/health")
        equal(get(gateway, "/ready").status, 200, "the status of /ready")
        equal(get(gateway, "/script/fields").status, 200, "the status of /script/fields")
        metrics = get(gateway, "/metrics")
        equal(metrics.fields["Content-Type"].split("; ")[:2], ["text/plain", "version=0.0.4"], "type")
        assert b"# TYPE http_server_active_requests gauge" in metrics.body, metrics.body
        unknown = get(gateway, "/unknown/x")
        equal((unknown.status, unknown.code), (404, "unknownUpstream"), "the answer to /unknown")
        climbing = get(gateway, "/script/a/%2E%2e/x")
        equal((climbing.status, climbing.code), (400, "invalidPath"), "the answer to dots")


@case(common=False)
def metrics_of_requests(bench):
    """requests to upstreams are in the metrics under OpenTelemetry's names"""
    with bench.gateway(*script(bench)) as gateway:
        get(gateway, "/script/fields")
        body = get(gateway, "/metrics").body.decode()
        for text in ("http_client_request_duration_seconds_bucket{", 'url_template="/script"'):
            assert text in body, f"no {text} in {body}"


@case()
def fields_of_a_proxy(bench):
    """fields of a connection aren't forwarded, and the gateway adds its own"""
    with bench.gateway(*script(bench)) as gateway:
        sent = {
            "Connection": "close, X-Secret", "X-Secret": "1", "Keep-Alive": "timeout=5", "TE": "trailers",
            "Upgrade": "h2c", "X-Kept": "2", "X-Forwarded-For": "192.0.2.1", "Via": "1.0 other",
            "Accept-Encoding": "gzip",
        }
        answer = get(gateway, "/script/fields/a%20b?q=1&r", sent)
        got = answer.json()
        equal(got["target"], "/fields/a%20b?q=1&r", "the target")
        fields = {name.lower(): value for name, value in got["fields"]}
        for name in ("connection", "x-secret", "keep-alive", "te", "upgrade"):
            assert name not in fields, f"{name} was forwarded: {fields}"
        equal(fields["x-kept"], "2", "X-Kept")
        equal(fields["accept-encoding"], "gzip", "Accept-Encoding")
        equal(fields["x-forwarded-for"], "192.0.2.1, 127.0.0.1", "X-Forwarded-For")
        equal(fields["x-forwarded-host"], f"127.0.0.1:{gateway.port}", "X-Forwarded-Host")
        vias = [value for name, value in got["fields"] if name.lower() == "via"]
        equal(", ".join(vias), "1.0 other, 1.1 gateway", "Via")
        for name in ("X-Hop", "Keep-Alive"):
            assert name not in answer.fields, f"{name} came back"
        equal(answer.fields["X-End"], "2", "X-End")
        equal(answer.fields["Via"], "1.1 gateway", "the Via of the response")


@case()
def streams_both_ways(bench):
    """20 MB are uploaded in chunks and come back whole, on a connection that is used again"""
    parts = [os.urandom(1 << 16) for _ in range(320)]
    with bench.gateway(*script(bench)) as gateway:
        connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=30)
        connection.connect()
        # Otherwise it would open another one after a close.
        connection.auto_open = False
        for _ in range(2):
            # A client that reads while it sends, as the upstream answers at once.
            connection.putrequest("POST", "/script/echo")
            connection.putheader("Transfer-Encoding", "chunked")
            connection.endheaders()
            received = _exchange(connection, parts)
            equal(received, hashlib.sha256(b"".join(parts)).hexdigest(), "the hash of the content")
        connection.close()


def _exchange(connection, parts):
    def send():
        for part in parts:
            connection.send(b"%x\r\n" % len(part) + part + b"\r\n")
        connection.send(b"0\r\n\r\n")

    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    digest = hashlib.sha256()
    response = connection.getresponse()
    while part := response.read(1 << 16):
        digest.update(part)
    sender.join(10)
    return digest.hexdigest()


@case()
def early_response(bench):
    """after a response before the end of an upload, the rest is skipped, and the next request answered"""
    with bench.gateway(*script(bench)) as gateway:
        connection = socket.create_connection(("127.0.0.1", gateway.port), 20)
        connection.sendall(
            b"POST /script/early HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n" + b"x" * 1000
        )
        stream = connection.makefile("rb")
        line = stream.readline()
        assert b" 413 " in line, line
        while stream.readline().strip():
            pass
        equal(stream.read(3), b"no\n", "the response")
        connection.sendall(b"x" * 999_000 + b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        line = stream.readline()
        assert b" 200 " in line, line
        connection.close()
        equal(get(gateway, "/script/fields").status, 200, "the status of a further request")


@case()
def back_pressure_of_downloads(bench):
    """a client that doesn't read stops its upstream, and its end closes the upstream's connection"""
    upstream = bench.upstream
    upstream.sent = 0
    upstream.closed.clear()
    with bench.gateway(*script(bench)) as gateway:
        connection = socket.create_connection(("127.0.0.1", gateway.port), 20)
        connection.sendall(b"GET /script/endless HTTP/1.1\r\nHost: x\r\n\r\n")
        _wait_for_stand(lambda: upstream.sent)
        assert 0 < upstream.sent < 32 << 20, f"{upstream.sent} bytes were taken of the upstream"
        connection.close()
        assert upstream.closed.wait(15), "the connection to the upstream is still open"


@case()
def back_pressure_of_uploads(bench):
    """an upstream that doesn't read stops its client"""
    upstream = bench.upstream
    upstream.resume.clear()
    with bench.gateway(*script(bench)) as gateway:
        connection = socket.create_connection(("127.0.0.1", gateway.port), 20)
        connection.sendall(
            b"PUT /script/unread HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n"
        )
        connection.setblocking(False)
        sent = 0

        def send():
            nonlocal sent
            try:
                sent += connection.send(b"x" * 65536)
            except BlockingIOError:
                pass
            return sent

        _wait_for_stand(send)
        assert 0 < sent < 32 << 20, f"{sent} bytes were taken of the client"
        connection.close()
        upstream.resume.set()


def _wait_for_stand(value):
    """Waits until a number hasn't changed for a second."""
    last, since = -1, time.monotonic()

    def stands():
        nonlocal last, since
        now = value()
        if now != last or now == 0:
            last, since = now, time.monotonic()
        return time.monotonic() - since > 1

    if not processes.wait_until(stands, 20, step=0.002):
        raise AssertionError(f"it goes on after 20 seconds, at {last}")


@case()
def broken_content(bench):
    """a response that breaks off upstream is incomplete for the client, too"""
    with bench.gateway(*script(bench)) as gateway:
        try:
            body = get(gateway, "/script/broken").body
        except http.client.IncompleteRead as error:
            assert len(error.partial) <= 5, error.partial
            return
        raise AssertionError(f"the client got {body!r} as a whole response")


@case(common=False)
def errors_of_upstreams(bench):
    """failures are 502, 503 or 504, with a name and a phase"""
    dead = nginx.free_ports(1)[0]
    arguments = ("--upstream", f"dead=http://127.0.0.1:{dead}", "--timeout", "2")
    with bench.gateway(*script(bench), *arguments) as gateway:
        refused = get(gateway, "/dead/x")
        equal((refused.status, refused.code), (502, "connectRefused"), "the answer of a dead upstream")
        equal(refused.json()["error"]["upstream"], "dead", "the upstream in it")
        equal(get(gateway, "/script/reset", method="POST", body="x").status, 502, "after a reset")
        stalled = get(gateway, "/script/stall")
        equal((stalled.status, stalled.code), (504, "deadlineExceeded"), "the answer after the timeout")
        # Ten failures in a row open the circuit.
        answers = [get(gateway, "/dead/x") for _ in range(12)]
        equal((answers[-1].status, answers[-1].code), (503, "circuitOpen"), "the last answer")
        equal(answers[-1].fields["Retry-After"], "1", "Retry-After")
        equal(get(gateway, "/ready").status, 503, "the status of /ready")
        equal(get(gateway, "/script/fields").status, 200, "the other upstream's status")
        # A load balancer sends no probe to a gateway that isn't ready.
        ready = processes.wait_until(lambda: get(gateway, "/ready").status == 200, 20, step=0.5)
        assert ready, "it isn't ready again after a pause without requests"


@case(common=False)
def next_server(bench):
    """a request that a server refuses goes to the next one"""
    dead = nginx.free_ports(1)[0]
    urls = f"http://127.0.0.1:{dead},http://127.0.0.1:{bench.plain}"
    with bench.gateway("--upstream", f"pair={urls}") as gateway:
        statuses = [get(gateway, "/pair/1k").status for _ in range(30)]
        equal(statuses, [200] * 30, "the statuses")
        equal(get(gateway, "/ready").status, 200, "the status of /ready")


@case(common=False)
def replaced_roots(bench):
    """a replaced file of roots is used without a restart, at the latest after a second"""
    other, roots = bench.home / "other.pem", bench.home / "roots.pem"
    nginx.make_certificate(other, bench.home / "other.key")
    shutil.copy(other, roots)
    arguments = ("--upstream", f"tls=https://127.0.0.1:{bench.tls}", "--ca", roots)
    with bench.gateway(*arguments) as gateway:
        untrusted = get(gateway, "/tls/1k")
        equal((untrusted.status, untrusted.code), (502, "certificateUntrusted"), "the first answer")
        shutil.copy(bench.home / "server.pem", bench.home / "new.pem")
        (bench.home / "new.pem").rename(roots)
        # The client looks at the file once a second, except before a connection that is certainly new.
        used = processes.wait_until(lambda: get(gateway, "/tls/1k").status == 200, 5, step=0.5)
        assert used, "the new roots aren't used"


@case(common=False)
def settings_of_the_environment(bench):
    """upstreams and the client's settings are read from the environment"""
    extra = {"GATEWAY_UPSTREAMS": f"a={bench.upstream.url}", "HTTP_CLIENT_USER_AGENT": "gateway/1"}
    with bench.gateway(extra=extra) as gateway:
        fields = dict(get(gateway, "/a/fields").json()["fields"])
        equal(fields.get("User-Agent"), "gateway/1", "User-Agent")


@case()
def wrong_setting(bench):
    """a number of the environment that is none is an error that names the setting"""
    log = bench.home / "wrong.log"
    command = [bench.program, "--port", 0, *script(bench)]
    with processes.Program(command, log, {"GATEWAY_TIMEOUT": "soon"}) as gateway:
        equal(gateway.status(20), 1, "the exit status")
    message = log.read_text()
    assert 'timeout is "soon"; use a number' in message, message


@case()
def slow_end(bench):
    """after SIGTERM, a request in flight completes, and new connections are refused"""
    with bench.gateway("--upstream", f"load=http://127.0.0.1:{bench.plain}") as gateway:
        connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=20)
        connection.request("GET", "/load/slow")
        response = connection.getresponse()
        gateway.terminate()

        def refuses():
            try:
                socket.create_connection(("127.0.0.1", gateway.port), 1).close()
            except ConnectionError:
                return True
            return False

        assert processes.wait_until(refuses, 10), "the gateway still takes connections"
        equal(len(response.read()), 65536, "the length of the content")
        connection.close()
        equal(gateway.status(15), 0, "the exit status")
        assert "taken 1, completed 1" in gateway.rest(), "the request wasn't counted"
