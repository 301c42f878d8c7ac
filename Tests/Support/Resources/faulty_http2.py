"""An HTTP/2 server on a free port of loopback that goes wrong as the request's path says.

Arguments: certificate and key for TLS, or none for h2c by prior knowledge.
FaultyHTTP2Peer.swift describes the paths.
"""

import asyncio
import gzip
import socket
import ssl
import sys
from urllib.parse import parse_qs, urlsplit

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import (
    ConnectionTerminated,
    DataReceived,
    PingAckReceived,
    RequestReceived,
    StreamEnded,
    StreamReset,
    WindowUpdated,
)
from h2.exceptions import ProtocolError

PROMISED, SENT = 20000, 10000
# Stored, not compressed, so that the first SENT bytes contain about half of the content.
COMPRESSED = gzip.compress(b"x" * PROMISED, 0)
refused = set()
uploads = {}
counts = {}


def error_code(name):
    return int(name) if name.isdigit() else ErrorCodes[name]


class Stream:
    def __init__(self, headers):
        self.headers = dict(headers)
        self.body = bytearray()
        self.window = asyncio.Event()
        self.grown = asyncio.Event()


class Connection(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport
        self.streams = {}
        self.tasks = set()
        # By the number of the stream whose PING the client acknowledges.
        self.acknowledged = {}
        if self.falls_back():
            return
        self.h2 = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        # The server must be able to send wrong lengths.
        self.h2.config.validate_outbound_headers = False
        self.h2.initiate_connection()
        self.flush()

    def falls_back(self):
        """Whether the client has asked for HTTP/1.1."""
        tls = self.transport.get_extra_info("ssl_object")
        return tls is not None and tls.selected_alpn_protocol() == "http/1.1"

    def connection_lost(self, error):
        for task in self.tasks:
            task.cancel()

    def flush(self):
        data = self.h2.data_to_send()
        if data:
            self.transport.write(data)

    def data_received(self, data):
        if self.falls_back():
            self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nHTTP/1.1")
            return
        try:
            events = self.h2.receive_data(data)
        except ProtocolError:
            self.flush()
            self.transport.close()
            return
        for event in events:
            self.handle(event)
        self.flush()

    def handle(self, event):
        if isinstance(event, RequestReceived):
            stream = self.streams[event.stream_id] = Stream(event.headers)
            task = asyncio.ensure_future(self.answer(event.stream_id, stream))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
            stream.task = task
            stream.ended = asyncio.Event()
        elif isinstance(event, DataReceived):
            stream = self.streams.get(event.stream_id)
            if stream:
                stream.body += event.data
                stream.grown.set()
            self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
        elif isinstance(event, StreamEnded):
            if event.stream_id in self.streams:
                self.streams[event.stream_id].ended.set()
        elif isinstance(event, StreamReset):
            stream = self.streams.pop(event.stream_id, None)
            if stream:
                stream.task.cancel()
        elif isinstance(event, WindowUpdated):
            for stream in self.streams.values():
                stream.window.set()
        elif isinstance(event, PingAckReceived):
            self.acknowledged[int.from_bytes(event.ping_data, "big")].set()
        elif isinstance(event, ConnectionTerminated):
            self.transport.close()

    async def answer(self, number, stream):
        parts = urlsplit(stream.headers[":path"])
        options = {name: values[0] for name, values in parse_qs(parts.query).items()}
        key = options.get("key", "")
        counts[key] = counts.get(key, 0) + 1
        action = getattr(self, "on_" + parts.path.strip("/").replace("-", "_"), self.on_missing)
        await action(number, stream, options)
        self.flush()

    def head(self, number, length=None, status="200", end=False, coding=None):
        headers = [(":status", status), ("content-type", "application/octet-stream")]
        if coding is not None:
            headers.append(("content-encoding", coding))
        if length is not None:
            headers.append(("content-length", str(length)))
        self.h2.send_headers(number, headers, end_stream=end)
        self.flush()

    async def send(self, number, stream, data, end=False):
        view = memoryview(data)
        while view:
            room = min(
                self.h2.local_flow_control_window(number), self.h2.max_outbound_frame_size
            )
            if room <= 0:
                stream.window.clear()
                await stream.window.wait()
                continue
            self.h2.send_data(number, bytes(view[:room]))
            view = view[room:]
            self.flush()
        if end:
            self.h2.end_stream(number)
            self.flush()

    async def until_read(self, number):
        """Waits until the client has read everything sent so far, and so acknowledges a PING."""
        self.acknowledged[number] = asyncio.Event()
        self.h2.ping(number.to_bytes(8, "big"))
        self.flush()
        await self.acknowledged[number].wait()

    async def proceed(self, number, stream, options):
        """Sends what is to come before the fault, and waits until the client has read it.

        A client that reads both at once may ignore the first.
        """
        when = options.get("when", "mid-body")
        if when == "before-head":
            return
        coding = options.get("coding")
        body = COMPRESSED if coding else b"x" * PROMISED
        self.head(number, None if options.get("length") == "no" else len(body), coding=coding)
        if when == "mid-body":
            await self.send(number, stream, body[:SENT])
        await self.until_read(number)

    async def on_missing(self, number, stream, options):
        self.head(number, 0, "404", end=True)

    async def on_body(self, number, stream, options):
        size = int(options.get("size", SENT))
        self.head(number, None if options.get("length") == "no" else size)
        await self.send(number, stream, b"x" * size, end=True)

    async def on_count(self, number, stream, options):
        text = str(counts.get(options.get("of", ""), 0)).encode()
        self.head(number, len(text))
        await self.send(number, stream, text, end=True)

    async def on_fields(self, number, stream, options):
        value = "c" * int(options.get("size", 60))
        cookies = [("set-cookie", value)] * int(options.get("count", 1))
        self.h2.send_headers(number, [(":status", "200")] + cookies, end_stream=True)
        self.flush()

    async def on_short(self, number, stream, options):
        self.head(number, int(options.get("length", PROMISED)))
        await self.send(number, stream, b"x" * int(options.get("size", SENT)), end=True)

    async def on_echo(self, number, stream, options):
        await stream.ended.wait()
        self.head(number, len(stream.body))
        await self.send(number, stream, bytes(stream.body), end=True)

    async def on_upload(self, number, stream, options):
        key = options.get("key", "")
        version = ("upload-draft-interop-version", "6")
        method = stream.headers[":method"]
        if method == "HEAD":
            offset = str(len(uploads[key]))
            fields = [(":status", "204"), version, ("upload-offset", offset)]
            self.h2.send_headers(number, fields + [("upload-complete", "?0")], end_stream=True)
        elif method == "PATCH":
            await stream.ended.wait()
            whole = uploads[key] + bytes(stream.body)
            self.head(number, len(whole))
            await self.send(number, stream, whole, end=True)
        else:
            location = ("location", "/upload?key=" + key)
            self.h2.send_headers(number, [(":status", "104"), version, location])
            self.flush()
            while len(stream.body) < SENT:
                stream.grown.clear()
                await stream.grown.wait()
            uploads[key] = bytes(stream.body[:SENT])
            await self.until_read(number)
            self.h2.reset_stream(number, ErrorCodes.INTERNAL_ERROR)

    async def on_trailers(self, number, stream, options):
        self.head(number)
        await self.send(number, stream, b"x" * SENT)
        self.h2.send_headers(number, [("x-checksum", "123"), ("x-end", "yes")], end_stream=True)

    async def on_reset(self, number, stream, options):
        await self.proceed(number, stream, options)
        self.h2.reset_stream(number, error_code(options.get("code", "INTERNAL_ERROR")))

    async def on_early(self, number, stream, options):
        self.head(number)
        trailers = options.get("trailers") == "yes"
        await self.send(number, stream, b"x" * SENT, end=not trailers)
        if trailers:
            self.h2.send_headers(number, [("x-end", "yes")], end_stream=True)
        self.h2.reset_stream(number, ErrorCodes.NO_ERROR)

    async def on_refused_once(self, number, stream, options):
        key = options.get("key", "")
        if key not in refused:
            refused.add(key)
            self.h2.reset_stream(number, ErrorCodes.REFUSED_STREAM)
        else:
            await self.on_body(number, stream, options)

    async def on_goaway(self, number, stream, options):
        await self.proceed(number, stream, options)
        code = error_code(options.get("code", "NO_ERROR"))
        last = int(options["last"]) if "last" in options else None
        self.h2.close_connection(code, last_stream_id=last)
        self.flush()
        if options.get("keep") == "yes":
            await asyncio.Event().wait()
        self.transport.close()

    async def on_calm(self, number, stream, options):
        options = {"when": "before-head", **options, "code": "ENHANCE_YOUR_CALM"}
        await self.on_goaway(number, stream, options)

    async def on_close(self, number, stream, options):
        await self.proceed(number, stream, options)
        if options.get("abrupt") == "yes":
            # Also without TLS's closure alert.
            self.transport.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        else:
            self.transport.close()

    async def on_stall(self, number, stream, options):
        await self.proceed(number, stream, options)
        await asyncio.Event().wait()


def tls_context(certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2", "http/1.1"])
    return context


async def main():
    context = tls_context(*sys.argv[1:3]) if len(sys.argv) > 2 else None
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Connection, "127.0.0.1", 0, ssl=context, backlog=1024)
    print("PORT", server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
