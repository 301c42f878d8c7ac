"""Starting and ending processes, each by its own id."""

import json
import os
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


def run_client(argv, cpus=None, limit=180):
    """Runs a load client to its end and returns what its line of JSON says."""
    process = start(argv, cpus, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE, text=True)
    try:
        output, complaints = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        end(process)
        return {"failure": f"not done after {limit} s"}
    finally:
        end(process)
    try:
        return json.loads(output.strip().splitlines()[-1])
    except (ValueError, IndexError):
        reason = complaints.strip().splitlines()[-1:] or ["no output"]
        return {"failure": f"exit status {process.returncode}: {reason[0][:200]}"}


class Usage:
    """The memory of a process that doesn't report it itself: read from /proc while it runs."""

    def __init__(self, process):
        self.peak_kilobytes = 0
        self._process = process
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self):
        while self._process.returncode is None:
            try:
                with open(f"/proc/{self._process.pid}/status") as status:
                    for line in status:
                        if line.startswith("VmHWM:"):
                            self.peak_kilobytes = int(line.split()[1])
            except (OSError, ValueError):
                return
            time.sleep(0.01)
