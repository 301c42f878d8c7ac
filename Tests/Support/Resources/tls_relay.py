"""Takes TLS connections on a free port of loopback and passes their bytes on to another port.

Prints what was negotiated on each. Arguments: certificate, key, port, the protocols offered by ALPN, and perhaps an
authority whose certificates the clients have to have.
"""

import asyncio
import ssl
import sys


async def pump(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except (ConnectionError, ssl.SSLError):
        pass
    finally:
        if writer.can_write_eof():
            writer.write_eof()
        else:
            writer.close()


async def serve(reader, writer):
    session = writer.get_extra_info("ssl_object")
    print(f"{session.version()} ALPN {session.selected_alpn_protocol()}", flush=True)
    try:
        upstream = await asyncio.open_connection("127.0.0.1", int(sys.argv[3]))
    except OSError:
        writer.close()
        return
    await asyncio.gather(pump(reader, upstream[1]), pump(upstream[0], writer))
    upstream[1].close()
    writer.close()


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    context.set_alpn_protocols(sys.argv[4].split(","))
    if len(sys.argv) > 5:
        context.load_verify_locations(sys.argv[5])
        context.verify_mode = ssl.CERT_REQUIRED
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    print("PORT", server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
