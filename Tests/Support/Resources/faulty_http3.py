"""An HTTP/3 server on a free UDP port of loopback that goes wrong as the request's path says.

Arguments: certificate and key.
FaultyHTTP3Peer.swift describes the paths.
"""

import asyncio
import sys
from urllib.parse import parse_qs, urlsplit

from aioquic.asyncio import QuicConnectionProtocol, serve
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ProtocolNegotiated

# Incomplete responses, by their keys.
unfinished = {}
refused = set()


class Connection(QuicConnectionProtocol):
    http = None

    def quic_event_received(self, event):
        if isinstance(event, ProtocolNegotiated):
            self.http = H3Connection(self._quic)
        if self.http is None:
            return
        for message in self.http.handle_event(event):
            if isinstance(message, HeadersReceived):
                self.answer(message.stream_id, dict(message.headers))
        self.transmit()

    def answer(self, stream, headers):
        url = urlsplit(headers[b":path"].decode())
        options = {name: values[0] for name, values in parse_qs(url.query).items()}
        key = options.get("key", "")
        code = int(options.get("code", "0x100"), 0)
        if url.path == "/unfinished":
            unfinished[key] = (self, stream)
            self.head(stream)
            self.http.send_data(stream, b"x" * 10000, False)
        elif url.path == "/refused-once" and key not in refused:
            refused.add(key)
            self._quic.reset_stream(stream, 0x10B)
        elif url.path == "/trailers":
            self.head(stream)
            self.http.send_data(stream, b"x" * 10000, False)
            self.http.send_headers(stream, [(b"x-checksum", b"123")], True)
        elif url.path == "/close" and key in unfinished:
            connection, _ = unfinished.pop(key)
            connection._quic.close(error_code=code)
            connection.transmit()
        else:
            self.act(url.path, key, code)
            self.head(stream)
            self.http.send_data(stream, b"done", True)

    def act(self, path, key, code):
        if path not in ("/reset", "/finish") or key not in unfinished:
            return
        connection, stream = unfinished.pop(key)
        if path == "/reset":
            connection._quic.reset_stream(stream, code)
        else:
            connection.http.send_data(stream, b"", True)
        connection.transmit()

    def head(self, stream):
        self.http.send_headers(stream, [(b":status", b"200")])


async def main():
    configuration = QuicConfiguration(is_client=False, alpn_protocols=H3_ALPN)
    configuration.load_cert_chain(*sys.argv[1:3])
    server = await serve(
        "127.0.0.1", 0, configuration=configuration, create_protocol=Connection
    )
    print("PORT", server._transport.get_extra_info("sockname")[1], flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
