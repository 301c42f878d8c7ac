"""The servers, all on loopback: nginx, and delayserver for what nginx can't do."""

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request

from . import processes
from .database import Database
from .scenarios import FAR_DELAYS, FAR_DROP_EVERY

FILES = {"200m": 200 << 20, "256m": 256 << 20, "1g": 1 << 30}
SYSTEM_ROOTS = "/etc/ssl/certs/ca-certificates.crt"
RESOLVER_FILE = "/etc/resolv.conf"
# Where no other name server listens.
NAME_SERVER = "127.53.53.53"

NGINX = """
{user}
daemon off;
worker_processes 1;
worker_rlimit_nofile {files};
pid {home}/nginx.pid;
error_log {home}/error.log error;
events {{ worker_connections {connections}; multi_accept on; }}
http {{
    access_log off;
    client_body_temp_path {home}/body;
    proxy_temp_path {home}/proxy;
    fastcgi_temp_path {home}/fastcgi;
    uwsgi_temp_path {home}/uwsgi;
    scgi_temp_path {home}/scgi;
    default_type application/octet-stream;
    sendfile on;
    tcp_nodelay on;
    open_file_cache max=64;
    keepalive_requests 1000000000;
    keepalive_timeout 3600s;
    reset_timedout_connection on;
    http2_max_concurrent_streams 1024;
    server {{
        listen 127.0.0.1:{plain} backlog=4096;
        listen 127.0.0.1:{tls} ssl backlog=4096;
        listen 127.0.0.1:{h2} ssl http2 backlog=4096;
        ssl_certificate {home}/server.pem;
        ssl_certificate_key {home}/server.key;
        ssl_protocols TLSv1.2 TLSv1.3;
        root {home}/files;
        location = /1k {{ return 200 "{kilobyte}"; }}
        location /b/ {{ return 200 "{kilobyte}"; }}
        location = /stats {{ stub_status; }}
    }}
}}
"""

_MEBIBYTE = b"x" * (1 << 20)
# Those of delayserver, which counts for itself.
_COUNTING = ("swallow", "delay1s", "delay15s", "hosts", "slowhosts")


def free_ports(count):
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


class Servers:
    """Started by `with`, ended with it. `urls` has the addresses by name."""

    def __init__(self, products):
        """`products` is the folder of the programs."""
        self._delayserver = f"{products}/delayserver"
        self._nameserver = f"{products}/nameserver"
        self._farproxy = f"{products}/farproxy"
        self._proxies = {}
        self._resolver_file = None
        self._database = None
        self._running = []
        self.urls = {}
        self.ca_file = None
        self.bundle_file = None

    def __enter__(self):
        # Where there is memory instead of a disk, files cost nothing but their pages.
        self.is_in_memory = os.access("/dev/shm", os.W_OK)
        self._place = "/dev/shm" if self.is_in_memory else None
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="benchmarks-", dir=self._place))
        try:
            self._make_files()
            self._make_certificate()
            self._start_nginx()
            for delay in FAR_DELAYS:
                self._start_farproxy(f"far{delay}", delay)
            self._start_delayserver("swallow", 0, 0)
            self._start_delayserver("delay1s", 1000, 1024)
            self._start_delayserver("delay15s", 15000, 1024)
            self._start_delayserver("hosts", 0, 1024, "--all-hosts", "1")
            self._start_delayserver("slowhosts", 100, 1024, "--all-hosts", "1")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self._database is not None:
            self._database.end()
        for process in reversed(self._running):
            processes.end(process)
        shutil.rmtree(self.home, ignore_errors=True)

    def _make_files(self):
        (self.home / "files").mkdir()
        for name, size in FILES.items():
            with open(self.home / "files" / name, "wb") as file:
                file.truncate(size)

    def _make_certificate(self):
        """A root of our own, a server certificate of it, and a bundle of it and the system's roots."""
        new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        (self.home / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        self._openssl("req", "-x509", *new_key, "-days", "30", "-subj", "/CN=Benchmarks root",
                      "-keyout", "ca.key", "-out", "ca.pem")
        self._openssl("req", *new_key, "-subj", "/CN=localhost", "-keyout", "server.key",
                      "-out", "server.csr")
        self._openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
                      "-CAcreateserial", "-days", "30", "-extfile", "names", "-out", "server.pem")
        own = (self.home / "ca.pem").read_bytes()
        roots = pathlib.Path(SYSTEM_ROOTS)
        (self.home / "bundle.pem").write_bytes((roots.read_bytes() if roots.exists() else b"") + own)
        self.ca_file = str(self.home / "ca.pem")
        self.bundle_file = str(self.home / "bundle.pem")

    def _openssl(self, *arguments):
        subprocess.run(["openssl", *arguments], cwd=self.home, check=True, capture_output=True)

    def _start_nginx(self):
        plain, tls, h2 = free_ports(3)
        limit = os.sysconf("SC_OPEN_MAX")
        configuration = self.home / "nginx.conf"
        configuration.write_text(NGINX.format(
            user="user root;" if os.geteuid() == 0 else "", home=self.home, plain=plain, tls=tls,
            h2=h2, files=limit, connections=max(1024, min(16384, limit - 100)),
            kilobyte="x" * 1024))
        nginx = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
        if not nginx:
            raise SystemExit("nginx is needed: apt-get install nginx-light")
        process = processes.start([nginx, "-c", str(configuration), "-e", str(self.home / "start.log")],
                                  processes.SERVER_CPUS, stdin=subprocess.DEVNULL)
        self._running.append(process)
        self._wait_for(plain, process)
        self.urls.update(plain=f"http://127.0.0.1:{plain}", tls=f"https://127.0.0.1:{tls}",
                         h2=f"https://127.0.0.1:{h2}")

    def _wait_for(self, port, process):
        for _ in range(500):
            if process.poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise SystemExit(f"nginx didn't start; see {self.home}/start.log")

    def _start_delayserver(self, name, delay, body_bytes, *others):
        # It ends with its standard input, so that it can't outlive this script.
        process = processes.start(
            [self._delayserver, "--delay-ms", str(delay), "--body-bytes", str(body_bytes), *others],
            processes.SERVER_CPUS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._running.append(process)
        self.urls[name] = f"http://127.0.0.1:{process.stdout.readline().strip()}"

    def _start_farproxy(self, name, delay):
        target = urllib.parse.urlsplit(self.urls["plain"]).port
        # It ends with its standard input, so that it can't outlive this script.
        process = processes.start(
            [self._farproxy, "--target", str(target), "--delay-ms", str(delay), "--drop-every",
             str(FAR_DROP_EVERY)],
            processes.SERVER_CPUS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._running.append(process)
        self._proxies[name] = process
        self.urls[name] = f"http://127.0.0.1:{process.stdout.readline().strip()}"

    def _dropped(self, name):
        """How many connections the proxy has reset since it was last asked; None: it isn't one."""
        process = self._proxies.get(name)
        if process is None:
            return None
        process.stdin.write("\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())["dropped"]

    def resolver_file(self):
        """The settings of the C library that make it ask our name server, which then runs."""
        if self._resolver_file is None:
            # It ends with its standard input, so that it can't outlive this script.
            process = processes.start([self._nameserver, NAME_SERVER], processes.SERVER_CPUS,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            self._running.append(process)
            if not process.stdout.readline():
                raise processes.Failure(f"nameserver can't listen on port 53 of {NAME_SERVER}")
            path = self.home / "resolv.conf"
            # A lost datagram would cost five seconds.
            path.write_text(f"nameserver {NAME_SERVER}\noptions timeout:1 attempts:5\n")
            self._resolver_file = str(path)
        return self._resolver_file

    def database(self):
        """The database of fleets, which then runs, on the servers' core."""
        if self._database is None:
            self._database = Database(self._place, processes.SERVER_CPUS)
        return self._database

    def touch_memory(self, amount):
        """Uses as much memory for files as a client is about to use, or all that is free. The host of a
        virtual machine takes back idle memory, and the next process to use it waits for it, many times
        as long as the write takes."""
        if not self.is_in_memory:
            return
        path = self.home / "touched"
        try:
            with open(path, "wb", 0) as file:
                for _ in range(-(-amount // len(_MEBIBYTE))):
                    if file.write(_MEBIBYTE) < len(_MEBIBYTE):
                        break
        except OSError:
            pass
        finally:
            path.unlink(missing_ok=True)

    def counts(self, name):
        """What the server has seen: `accepted` connections, `swallowed` bytes of uploads. nginx counts
        from its start on, delayserver from the last look; this look's own connection is among them.
        `dropped` are connections that a proxy before it has reset since the last look."""
        base = self.urls[name if name in _COUNTING else "plain"]
        with urllib.request.urlopen(base + "/stats", timeout=10) as response:
            text = response.read().decode()
        if text.startswith("{"):
            return {**json.loads(text), "dropped": None, "is_since_last": True}
        accepted = re.search(r"accepts handled requests\s+(\d+)", text)
        return {"accepted": int(accepted.group(1)), "swallowed": None,
                "dropped": self._dropped(name), "is_since_last": False}
