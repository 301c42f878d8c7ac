"""Processes that the check starts: ended by it, and found if one is left."""

import os
import pathlib
import select
import signal
import subprocess
import time

MARK = f"GATEWAY_CHECK={os.getpid()}"


def environment(extra=None):
    name, value = MARK.split("=")
    return {**os.environ, name: value, **(extra or {})}


class Program:
    """A program that prints a line when it is ready. Ended by `with`."""

    def __init__(self, command, log, extra=None):
        self.log = pathlib.Path(log)
        self._process = subprocess.Popen(
            [str(part) for part in command],
            stdout=subprocess.PIPE,
            stderr=open(log, "ab"),
            env=environment(extra),
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._process.stdout.close()

    def line(self, seconds):
        """The next line of its output; '' if it ended or printed none in time."""
        ready, _, _ = select.select([self._process.stdout], [], [], seconds)
        return self._process.stdout.readline().decode().strip() if ready else ""

    def terminate(self):
        self._process.send_signal(signal.SIGTERM)

    def status(self, seconds):
        """The exit status; None if it still runs then."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def rest(self):
        return self._process.stdout.read().decode()


def left():
    """The ids of processes of this check that still run."""
    found = []
    for place in pathlib.Path("/proc").glob("[0-9]*"):
        if int(place.name) == os.getpid():
            continue
        try:
            marks = (place / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if MARK.encode() in marks:
            found.append(int(place.name))
    return found


def wait_until(condition, seconds, step=0.02):
    """Whether the condition became true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(step)
    return True
