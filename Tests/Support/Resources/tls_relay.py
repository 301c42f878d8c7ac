"""Takes TLS connections on a free port of loopback and passes their bytes on to another port.

Prints what was negotiated on each. Arguments: certificate, key, port, the protocols offered by ALPN, and perhaps an
authority whose certificates the clients have to have, or --changing-chain: each of the first 40 connections presents
one more copy of the certificates than the one before.
"""

import asyncio
import ssl
import sys
import tempfile


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


def make_context(copies=1):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with open(sys.argv[1]) as file:
        certificates = file.read()
    with tempfile.NamedTemporaryFile("w") as chain:
        chain.write(certificates * copies)
        chain.flush()
        context.load_cert_chain(chain.name, sys.argv[2])
    context.set_alpn_protocols(sys.argv[4].split(","))
    return context


def lengthen_chains(context):
    # A resumed session would have the chain of the connection that began it.
    context.num_tickets = 0
    count = 0

    def choose(session, name, former):
        nonlocal count
        count += 1
        session.context = make_context(1 + min(count, 40))

    context.sni_callback = choose


async def main():
    context = make_context()
    if sys.argv[5:] == ["--changing-chain"]:
        lengthen_chains(context)
    elif len(sys.argv) > 5:
        context.load_verify_locations(sys.argv[5])
        context.verify_mode = ssl.CERT_REQUIRED
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    print("PORT", server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
