"""A SOCKS4 and SOCKS4a proxy on a free port of loopback, which tells whom it connects."""

import asyncio
import struct


async def pump(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def serve(reader, writer):
    try:
        _, command, port, address = struct.unpack(">BBH4s", await reader.readexactly(8))
        await reader.readuntil(b"\0")
        host = ".".join(map(str, address))
        if address[:3] == b"\0\0\0":
            host = (await reader.readuntil(b"\0"))[:-1].decode()
        print(f"connect {host}:{port}", flush=True)
        upstream = await asyncio.open_connection(host, port, family=2)
    except (OSError, asyncio.IncompleteReadError):
        writer.write(struct.pack(">BBHI", 0, 91, 0, 0))
        writer.close()
        return
    writer.write(struct.pack(">BBHI", 0, 90, 0, 0))
    await asyncio.gather(pump(reader, upstream[1]), pump(upstream[0], writer))


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print("PORT", server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
