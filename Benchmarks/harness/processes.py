"""Starting and ending processes, each by its own id."""

import itertools
import os
import resource
import signal
import subprocess
import threading
import time

CPUS = sorted(os.sched_getaffinity(0))
SERVER_CPUS = {CPUS[-1]}
PINNED_CLIENT_CPUS = {CPUS[0]}


def start(argv, cpus=None, **options):
    """Starts a process on the given CPUs, the leader of a group of its own."""
    confine = (lambda: os.sched_setaffinity(0, cpus)) if cpus else None
    return subprocess.Popen(argv, preexec_fn=confine, start_new_session=True, **options)


def end(process, patience=5):
    """Ends the process and those it started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            break
        try:
            os.killpg(process.pid, number)
            process.wait(patience)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            stream.close()


class Failure(Exception):
    """A client that didn't come to its end, or said nothing."""


class Ended:
    """A process that has come to its end, and what it took, seen from outside."""

    def __init__(self, argv, cpus, limit, environment, loop_apart=False):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        started = time.monotonic()
        process = start(argv, cpus, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})
        memory = Memory(process)
        if loop_apart:
            keep_loop_apart(process)
        try:
            self.output, self.complaints = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            raise Failure(f"not done after {limit} s") from None
        finally:
            end(process)
        self.seconds = time.monotonic() - started
        self.status = process.returncode
        # One that was looked at only a few times may have been larger in between.
        self.peak_kilobytes = memory.peak_kilobytes if self.seconds >= 0.1 else None
        # No other child ends meanwhile: the servers run on.
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.user = after.ru_utime - before.ru_utime
        self.system = after.ru_stime - before.ru_stime

    def failure(self):
        reason = self.complaints.strip().splitlines()[-1:] or ["no output"]
        what = (f"signal {signal.Signals(-self.status).name}" if self.status < 0
                else f"exit status {self.status}")
        return Failure(f"{what}: {reason[0][:200]}")


def keep_loop_apart(process):
    """Keeps an event loop's thread on the first core, and the process's other threads from there."""
    others = set(CPUS[1:]) or set(CPUS)

    def watch():
        # Again and again, because a thread has its name only some time after its start. Less often
        # after a second: most threads start with the process, and each look takes time from what is
        # measured.
        pauses = itertools.chain(itertools.repeat(0.05, 20), itertools.repeat(0.5))
        while process.returncode is None:
            for thread in _threads(process.pid):
                try:
                    with open(f"/proc/{process.pid}/task/{thread}/comm") as name:
                        is_loop = name.read().startswith("curl-loop")
                    os.sched_setaffinity(thread, {CPUS[0]} if is_loop else others)
                except OSError:
                    continue  # it has just ended
            time.sleep(next(pauses))

    threading.Thread(target=watch, daemon=True).start()


def _threads(process):
    try:
        return [int(name) for name in os.listdir(f"/proc/{process}/task")]
    except OSError:
        return []


def time_starts(argv, count, limit):
    """The wall times, in seconds, of `count` runs of a short process, one after the other."""
    seconds = []
    nothing = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
    for _ in range(count):
        started = time.perf_counter()
        identifier = os.posix_spawnp(argv[0], argv, os.environ, file_actions=nothing)
        _, status = os.waitpid(identifier, 0)
        seconds.append(time.perf_counter() - started)
        if status != 0:
            raise Failure(f"exit status {os.waitstatus_to_exitcode(status)}")
        if sum(seconds) > limit:
            raise Failure(f"not done after {limit} s")
    return seconds


class Memory:
    """The peak of a process that doesn't report it itself: read from /proc while it runs."""

    def __init__(self, process):
        self.peak_kilobytes = None
        self._process = process
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self):
        while self._process.returncode is None:
            try:
                with open(f"/proc/{self._process.pid}/status") as status:
                    for line in status:
                        if line.startswith("VmHWM:"):
                            self.peak_kilobytes = int(line.split()[1])
            except (OSError, ValueError):
                return
            time.sleep(0.03)
