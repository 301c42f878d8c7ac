"""An HTTP server on many addresses of loopback, which counts the concurrent requests of each.

Arguments: the number of hosts, the most concurrent requests that a host may get, the number of answers from one pause
to the next, and the number of pauses. Each body has its own path in every line. Prints the port, `paused at N` when N
answers are sent, and `exceeded HOST` when a host gets more requests at once than it may. A pause ends with SIGUSR1.
"""

import asyncio
import random
import signal
import socket
import sys

hosts, limit, step, pauses = map(int, sys.argv[1:5])
active = {}
answered = 0
paused = False
waiting = []


class Connection(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport
        self.host = transport.get_extra_info("sockname")[0]
        self.input = b""
        self.path = None

    def connection_lost(self, error):
        if self.path:
            self.path = None
            active[self.host] -= 1

    def data_received(self, data):
        self.input += data
        self.read_head()

    def read_head(self):
        head, end, rest = self.input.partition(b"\r\n\r\n")
        if self.path or not end:
            return
        self.input = rest
        self.path = head.split(b" ")[1]
        active[self.host] = active.get(self.host, 0) + 1
        if active[self.host] > limit:
            print("exceeded", self.host, flush=True)
        delay = random.uniform(0.002, 0.02)
        asyncio.get_running_loop().call_later(delay, self.answer)

    def answer(self):
        global answered, paused
        if not self.path:
            return
        if paused:
            waiting.append(self)
            return
        body = (self.host.encode() + self.path + b"\n") * 50
        self.path = None
        active[self.host] -= 1
        self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        answered += 1
        if answered % step == 0 and answered <= step * pauses:
            paused = True
            print("paused at", answered, flush=True)
        self.read_head()


def go_on():
    global paused
    paused = False
    connections = waiting[:]
    waiting.clear()
    for connection in connections:
        connection.answer()


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
    loop.add_signal_handler(signal.SIGUSR1, go_on)
    print("PORT", port, flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
