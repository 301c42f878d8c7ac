"""Processes that the check starts: ended by it, and found if one is left."""

import os
import pathlib
import select
import signal
import subprocess
import time

_sessions = set()


class Program:
    """A program in a session of its own, by which `left` finds what it has started. Ended by `with`."""

    def __init__(self, command, log, extra=None):
        with open(log, "ab") as file:
            self._process = subprocess.Popen(
                [str(part) for part in command],
                stdout=subprocess.PIPE,
                stderr=file,
                env={**os.environ, **(extra or {})},
                start_new_session=True,
            )
        _sessions.add(self._process.pid)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._process.poll() is None:
            # The whole group: workers of nginx outlive a master that is killed.
            os.killpg(self._process.pid, signal.SIGKILL)
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
        try:
            # The state, the parent, the group, the session.
            fields = (place / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) in _sessions and fields[0] != "Z":
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
