"""An HTTP server on many addresses of loopback, which counts the concurrent requests of each.

Arguments: the number of hosts, the most concurrent requests that a host may get, and the step of the reports. Each
body has its own path in every line. Prints the port, `answered N` after each step, and `exceeded HOST` when a host
gets more requests at once than it may.
"""

import asyncio
import random
import socket
import sys

hosts, limit, step = map(int, sys.argv[1:4])
active = {}
answered = 0


class Connection(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport
        self.host = transport.get_extra_info("sockname")[0]
        self.input = b""
        self.timer = None

    def connection_lost(self, error):
        if self.timer:
            self.timer.cancel()
            active[self.host] -= 1
            self.timer = None

    def data_received(self, data):
        self.input += data
        self.read_head()

    def read_head(self):
        head, end, rest = self.input.partition(b"\r\n\r\n")
        if self.timer or not end:
            return
        self.input = rest
        path = head.split(b" ")[1]
        active[self.host] = active.get(self.host, 0) + 1
        if active[self.host] > limit:
            print("exceeded", self.host, flush=True)
        delay = random.uniform(0.002, 0.02)
        self.timer = asyncio.get_running_loop().call_later(delay, self.answer, path)

    def answer(self, path):
        global answered
        self.timer = None
        active[self.host] -= 1
        body = (self.host.encode() + path + b"\n") * 50
        self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        answered += 1
        if answered % step == 0:
            print("answered", answered, flush=True)
        self.read_head()


def listen(number, port):
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((f"127.1.{number // 250}.{1 + number % 250}", port))
    listener.listen(128)
    return listener


async def main():
    loop = asyncio.get_running_loop()
    first = listen(0, 0)
    port = first.getsockname()[1]
    for listener in [first] + [listen(number, port) for number in range(1, hosts)]:
        await loop.create_server(Connection, sock=listener)
    print("PORT", port, flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
