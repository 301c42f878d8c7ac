"""An HTTP/2 server over TLS on a free port of loopback that limits the streams of a connection.

Arguments: certificate, key, limit, and `refuse` or `accept` for streams beyond the limit.
StreamLimitPeer.swift describes the paths.
"""

import asyncio
import ssl
import sys

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.errors import ErrorCodes
from h2.events import PingAckReceived, RequestReceived, SettingsAcknowledged, StreamReset
from h2.exceptions import ProtocolError
from h2.settings import SettingCodes, Settings

LIMIT = int(sys.argv[3])
REFUSES = sys.argv[4] == "refuse"
# Connections that had a stream of a counted path.
connections = set()
counts = dict.fromkeys(["requests", "peak", "exceeded", "refused", "reset", "held"], 0)
changed = asyncio.Condition()
released = asyncio.Event()


class UncheckedConnection(H2Connection):
    # h2 would end the connection at the first stream beyond the limit.
    open_inbound_streams = 0


class Connection(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport
        self.open = set()
        self.is_acknowledged = False
        # By the number of the stream whose PING the client acknowledges.
        self.pings = {}
        self.h2 = UncheckedConnection(
            H2Configuration(client_side=False, header_encoding="utf-8")
        )
        self.h2.local_settings = Settings(
            client=False, initial_values={SettingCodes.MAX_CONCURRENT_STREAMS: LIMIT}
        )
        self.h2.initiate_connection()
        self.flush()

    def flush(self):
        data = self.h2.data_to_send()
        if data:
            self.transport.write(data)

    def data_received(self, data):
        try:
            events = self.h2.receive_data(data)
        except ProtocolError:
            self.flush()
            self.transport.close()
            return
        for event in events:
            if isinstance(event, RequestReceived):
                path = dict(event.headers)[":path"]
                if path in ("/item", "/held"):
                    self.count(event.stream_id, path)
                else:
                    asyncio.ensure_future(self.control(event.stream_id, path))
            elif isinstance(event, StreamReset):
                if event.stream_id in self.open:
                    counts["reset"] += 1
                    self.open.discard(event.stream_id)
                    asyncio.ensure_future(self.notify())
            elif isinstance(event, SettingsAcknowledged):
                self.is_acknowledged = True
            elif isinstance(event, PingAckReceived):
                self.answer(int.from_bytes(event.ping_data, "big"))
        self.flush()

    def count(self, stream, path):
        connections.add(self)
        counts["requests"] += 1
        if len(self.open) >= LIMIT:
            counts["exceeded"] += self.is_acknowledged
            if REFUSES:
                counts["refused"] += 1
                self.h2.reset_stream(stream, ErrorCodes.REFUSED_STREAM)
                return
        self.open.add(stream)
        counts["peak"] = max(counts["peak"], len(self.open))
        if path == "/item":
            # The client sends what it has to send before it acknowledges the PING.
            self.h2.ping(stream.to_bytes(8, "big"))
        else:
            counts["held"] += 1
            asyncio.ensure_future(self.hold(stream))

    async def hold(self, stream):
        await self.notify()
        await released.wait()
        self.answer(stream)
        self.flush()

    async def notify(self):
        async with changed:
            changed.notify_all()

    def answer(self, stream):
        if stream in self.open:
            self.open.discard(stream)
            self.send(stream, "done")

    def send(self, stream, text):
        self.h2.send_headers(stream, [(":status", "200"), ("content-length", str(len(text)))])
        self.h2.send_data(stream, text.encode(), end_stream=True)

    async def control(self, stream, path):
        _, action, *rest = path.split("/")
        if action == "await":
            name, number = rest
            async with changed:
                await changed.wait_for(lambda: counts[name] >= int(number))
        elif action == "release":
            released.set()
        elif action == "forget":
            connections.clear()
            counts.update(dict.fromkeys(counts, 0))
        values = {**counts, "connections": len(connections)}
        self.send(stream, " ".join(f"{name}={value}" for name, value in values.items()))
        self.flush()


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*sys.argv[1:3])
    context.set_alpn_protocols(["h2"])
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Connection, "127.0.0.1", 0, ssl=context, backlog=1024)
    print("PORT", server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
