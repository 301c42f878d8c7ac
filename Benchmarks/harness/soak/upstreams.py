"""The servers behind the gateway: nginx six times, a proxy that injects faults, and a name server."""

import os
import random
import shutil
import signal
import socket
import subprocess
import time

from .. import namespaces, processes
from ..servers import NAME_SERVER, RESOLVER_FILE
from .certificates import Certificates
from .logs import Log, Posts

# A lost datagram would cost five seconds.
_RESOLVER = f"nameserver {NAME_SERVER}\noptions timeout:1 attempts:5\n"

# A line of the log is a dot, or the number of a request with POST; with TLS, the client's subject and the
# generation of the server's certificate follow.
_NGINX = """
{user}
daemon off;
worker_processes 1;
pid {home}/nginx.pid;
error_log {home}/error.log error;
events {{ worker_connections 4096; multi_accept on; }}
http {{
    map $request_method $counted {{ default .; POST $http_x_number; }}
    log_format counted '$counted{logged}';
    access_log {home}/access.log counted;
    client_body_temp_path {home}/body;
    proxy_temp_path {home}/proxy;
    fastcgi_temp_path {home}/fastcgi;
    uwsgi_temp_path {home}/uwsgi;
    scgi_temp_path {home}/scgi;
    default_type application/octet-stream;
    sendfile on;
    tcp_nodelay on;
    server {{
        listen {address}:{port} {kind} backlog=4096;
        {more}
        add_header X-Number $http_x_number;
        root {files};
        location = /1k {{ return 200 "{kilobyte}"; }}
    }}
}}
"""

_TLS = """
        ssl_certificate {folder}/server.pem;
        ssl_certificate_key {folder}/server.key;
        ssl_client_certificate {folder}/clients.pem;
        ssl_verify_client on;
"""


class Nginx:
    """One server with one port."""

    def __init__(self, program, home, files, posts, port, address="127.0.0.1", certificates=None):
        self.port = port
        self.address = address
        self.log = Log(home / "access.log", posts, has_identity=certificates is not None)
        self._argv = [program, "-c", str(home / "nginx.conf"), "-e", str(home / "start.log")]
        self._home = home
        self._files = files
        self._certificates = certificates
        self._process = None
        home.mkdir()

    def start(self):
        self._configure()
        self._process = processes.start(self._argv, processes.SERVER_CPUS, stdin=subprocess.DEVNULL)
        for _ in range(1000):
            if self._process.poll() is not None:
                break
            if self._is_listening():
                return
            time.sleep(0.01)
        raise processes.Failure(f"nginx didn't start; see {self._home}/start.log")

    def reload(self):
        """Starts new workers; the old ones finish what they have begun."""
        self._configure()
        self._process.send_signal(signal.SIGHUP)

    def end(self):
        """By SIGTERM: what its workers have begun breaks off."""
        if self._process:
            processes.end(self._process)
            self._process = None

    def _is_listening(self):
        wanted = f"{_in_hexadecimal(self.address)}:{self.port:04X} 00000000:0000 0A"
        with open("/proc/net/tcp") as table:
            return any(wanted in line for line in table)

    def _configure(self):
        own = self._certificates
        (self._home / "nginx.conf").write_text(_NGINX.format(
            user="user root;" if os.geteuid() == 0 else "", home=self._home, files=self._files,
            address=self.address, port=self.port, kilobyte="x" * 1024,
            kind="ssl" if own else "", more=_TLS.format(folder=own.home) if own else "",
            logged=f" $ssl_client_s_dn {own.server_generation}" if own else ""))


def _in_hexadecimal(address):
    """As /proc/net/tcp has it."""
    return "".join(f"{int(part):02X}" for part in reversed(address.split(".")))


def _ports(count):
    """Free ports that no connection gets: a server that restarts must have its own again."""
    with open("/proc/sys/net/ipv4/ip_local_port_range") as file:
        first = int(file.read().split()[0])
    ports = []
    for port in random.sample(range(min(10_000, first - 5_000), first), 5_000):
        with socket.socket() as probe:
            try:
                probe.bind(("", port))
            except OSError:
                continue
        ports.append(port)
        if len(ports) == count:
            return ports
    raise processes.Failure("no free ports below those of connections")


class Upstreams:
    """Started by `with`, ended with it."""

    def __init__(self, programs, home):
        self._programs = programs
        self.home = home
        self._helpers = []
        self.posts = Posts()
        self.has_names = namespaces.can_replace(RESOLVER_FILE)

    def __enter__(self):
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for server in getattr(self, "servers", []):
            server.end()
        for process in self._helpers:
            processes.end(process)

    def _start(self):
        program = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
        if not program:
            raise SystemExit("nginx is needed: apt-get install nginx-light")
        files = self.home / "files"
        files.mkdir()
        (files / "64k").write_bytes(b"x" * 65536)
        self.certificates = Certificates(self.home / "certificates")
        ports = _ports(5)
        self.plain, first, second = (
            Nginx(program, self.home / name, files, self.posts, port)
            for name, port in zip(("plain", "first", "second"), ports))
        self.pair = (first, second)
        self.tls = Nginx(program, self.home / "tls", files, self.posts, ports[3],
                         certificates=self.certificates)
        # Two addresses with the same port: a name moves from one to the other.
        self.places = tuple(
            Nginx(program, self.home / f"place{number}", files, self.posts, ports[4],
                  f"127.1.0.{number}")
            for number in (1, 2)) if self.has_names else ()
        self.servers = [self.plain, *self.pair, self.tls, *self.places]
        for server in self.servers:
            server.start()
        self._proxy = self._start_helper("farproxy", "--target", str(self.plain.port))
        self._proxy_port = int(self._proxy.stdout.readline())
        if self.has_names:
            self._names = self._start_helper("nameserver", NAME_SERVER)
            if not self._names.stdout.readline():
                raise processes.Failure(f"nameserver can't listen on port 53 of {NAME_SERVER}")
            (self.home / "resolv.conf").write_text(_RESOLVER)

    def _start_helper(self, name, *arguments):
        # It ends with its standard input, so that it can't outlive this script.
        process = processes.start([str(self._programs / name), *arguments], processes.SERVER_CPUS,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._helpers.append(process)
        return process

    def read_logs(self):
        for server in self.servers:
            server.log.read()

    @property
    def count(self):
        """Requests that have arrived at any of them."""
        return sum(server.log.count for server in self.servers)

    def change_proxy(self, line):
        """Sends farproxy one of the lines that it knows."""
        return _send_line(self._proxy, line)

    def move_name(self, place):
        """From now on, the name has the address of `places[place]`."""
        _send_line(self._names, f"1 {place + 1}")

    @property
    def routes(self):
        """URLs by the names that they have in the gateway's paths."""
        routes = {"plain": [f"http://127.0.0.1:{self.plain.port}"],
                  "pair": [f"http://127.0.0.1:{server.port}" for server in self.pair],
                  "far": [f"http://127.0.0.1:{self._proxy_port}"],
                  "tls": [f"https://localhost:{self.tls.port}"]}
        if self.has_names:
            routes["names"] = [f"http://h1.hosts.test:{self.places[0].port}"]
        return routes

    def with_names(self, argv):
        """The command, to which our name server is the system's, if that can be done."""
        if not self.has_names:
            return argv
        return namespaces.with_file(str(self.home / "resolv.conf"), RESOLVER_FILE, argv)


def _send_line(process, line):
    process.stdin.write(line + "\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    if not answer:
        raise processes.Failure(f"{process.args[0]} has ended")
    return answer
