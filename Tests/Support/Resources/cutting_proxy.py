"""A proxy between Unix sockets that cuts each connection after a random number of bytes.

Arguments: its socket, the server's socket, and the smallest and the largest number of bytes. Prints `PORT 0` when it is
ready, and `cut N` after each cut.
"""

import asyncio
import random
import sys

own, target = sys.argv[1:3]
smallest, largest = map(int, sys.argv[3:5])
cuts = 0


async def serve(reader, writer):
    try:
        upstream = await asyncio.open_unix_connection(target)
    except OSError:
        writer.close()
        return
    rest = random.randint(smallest, largest)

    async def pump(reader, writer):
        nonlocal rest
        try:
            while data := await reader.read(4096):
                writer.write(data[:max(rest, 0)])
                await writer.drain()
                rest -= len(data)
                if rest <= 0:
                    return
        except ConnectionError:
            pass

    pumps = [pump(reader, upstream[1]), pump(upstream[0], writer)]
    tasks = [asyncio.create_task(pump) for pump in pumps]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks:
        task.cancel()
    for end in (writer, upstream[1]):
        end.transport.abort()
    if rest <= 0:
        global cuts
        cuts += 1
        print("cut", cuts, flush=True)


async def main():
    server = await asyncio.start_unix_server(serve, own)
    print("PORT 0", flush=True)
    await server.serve_forever()


asyncio.run(main())
