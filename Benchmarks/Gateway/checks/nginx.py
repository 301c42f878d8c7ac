"""nginx as an upstream, with and without TLS, and the certificates of the check."""

import os
import pathlib
import socket
import subprocess

from .processes import wait_until

CONFIGURATION = """
{user}
daemon off;
worker_processes 1;
pid {home}/nginx.pid;
error_log {home}/nginx.log error;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path {home}/body;
    proxy_temp_path {home}/proxy;
    fastcgi_temp_path {home}/fastcgi;
    uwsgi_temp_path {home}/uwsgi;
    scgi_temp_path {home}/scgi;
    tcp_nodelay on;
    keepalive_requests 1000000000;
    server {{
        listen 127.0.0.1:{plain} backlog=4096;
        listen 127.0.0.1:{tls} ssl backlog=4096;
        ssl_certificate {home}/server.pem;
        ssl_certificate_key {home}/server.key;
        root {home}/files;
        location = /1k {{ return 200 "{kilobyte}"; }}
        location = /slow {{ limit_rate 256k; try_files /64k =404; }}
    }}
}}
"""


def free_ports(count):
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def make_certificate(certificate, key, name="127.0.0.1"):
    """A certificate that is its own root."""
    subprocess.run(
        [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
            "-nodes", "-days", "30", "-subj", f"/CN={name}", "-addext", f"subjectAltName=IP:{name}",
            "-keyout", key, "-out", certificate,
        ],
        check=True,
        capture_output=True,
    )


def configure(home: pathlib.Path):
    """Writes files and configuration; the command, and the ports of http and https."""
    plain, tls = free_ports(2)
    (home / "files").mkdir()
    (home / "files" / "64k").write_bytes(b"y" * 65536)
    make_certificate(home / "server.pem", home / "server.key")
    text = CONFIGURATION.format(
        user="user root;" if os.geteuid() == 0 else "",
        home=home,
        plain=plain,
        tls=tls,
        kilobyte="x" * 1024,
    )
    (home / "nginx.conf").write_text(text)
    command = ["nginx", "-p", home, "-c", home / "nginx.conf", "-e", home / "nginx.log"]
    return command, plain, tls


def wait(port):
    """Waits until the port takes connections."""

    def listens():
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            return False
        return True

    if not wait_until(listens, 10):
        raise AssertionError("nginx doesn't listen")
