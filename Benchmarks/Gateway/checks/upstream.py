"""A scripted upstream on loopback: what nginx can't do."""

import json
import socket
import socketserver
import struct
import threading


class Upstream(socketserver.ThreadingTCPServer):
    """Answers by the first segment of the path."""

    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.sent = 0
        self.closed = threading.Event()
        self.resume = threading.Event()

    def __enter__(self):
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.resume.set()
        self.shutdown()
        self.server_close()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request, client_address):
        """A connection that the gateway closes isn't worth a trace."""


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        while True:
            lines = self.head()
            if not lines:
                return
            method, target, _ = lines[0].split(" ")
            fields = [tuple(line.split(": ", 1)) for line in lines[1:]]
            name = target.lstrip("/").split("?")[0].split("/")[0] or "fields"
            getattr(self, name)(target, fields)

    def head(self):
        lines = []
        while line := self.rfile.readline().decode("latin-1").rstrip("\r\n"):
            lines.append(line)
        return lines

    def chunks(self):
        """The parts of the request's content."""
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def send(self, text, body=b""):
        self.wfile.write(text.replace("\n", "\r\n").encode() + body)

    def fields(self, target, fields):
        """What the upstream gets, as JSON, with fields of its own connection."""
        body = json.dumps({"target": target, "fields": fields}).encode()
        self.send(
            "HTTP/1.1 200 OK\nConnection: keep-alive, X-Hop\nKeep-Alive: timeout=9\nX-Hop: 1\n"
            f"X-End: 2\nContent-Length: {len(body)}\n\n",
            body,
        )

    def echo(self, *_):
        """Each part of a chunked content at once."""
        self.send("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nTrailer: X-Sum\n\n")
        size = 0
        for part in self.chunks():
            size += len(part)
            self.send(f"{len(part):x}\n", part + b"\r\n")
        self.send(f"0\nX-Sum: {size}\n\n")

    def early(self, *_):
        """A response before the content has been read."""
        self.send("HTTP/1.1 413 Too Large\nContent-Length: 3\nConnection: close\n\n", b"no\n")
        self.connection.shutdown(socket.SHUT_WR)
        while self.connection.recv(1 << 16):
            pass

    def endless(self, *_):
        """A content that never ends, sent as fast as it is taken."""
        self.send("HTTP/1.1 200 OK\nContent-Length: 1000000000000\n\n")
        part = b"x" * 65536
        try:
            while True:
                self.connection.sendall(part)
                self.server.sent += len(part)
        except OSError:
            self.server.closed.set()
            raise

    def unread(self, *_):
        """Takes nothing of the content, until it may."""
        self.server.resume.wait(60)
        self.send("HTTP/1.1 200 OK\nContent-Length: 0\nConnection: close\n\n")

    def broken(self, *_):
        """Half of a content."""
        self.send("HTTP/1.1 200 OK\nContent-Length: 10\n\n", b"hello")
        self.connection.shutdown(socket.SHUT_RDWR)

    def reset(self, *_):
        option = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, option)
        self.connection.close()
        raise ConnectionError("reset on request")

    def stall(self, *_):
        """No response."""
        self.connection.recv(1)
