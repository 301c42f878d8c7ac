"""A PostgreSQL server of Debian's packages, in a folder of its own, on a Unix socket there."""

import glob
import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile
import time

from . import processes

# Both need it: the server refuses to run as root.
_SERVER_USER = "postgres"

# Of many URLs, each page of the tables changes soon after each checkpoint, and its first change puts
# the whole page into the write-ahead log. So checkpoints are rare, and as many pages as
# PostgreSQL's manual suggests stay in memory.
_RARE_CHECKPOINTS = ("max_wal_size=16GB", "checkpoint_timeout=30min")


def settings_for_many_urls():
    """Settings of a server for tables of some gigabytes."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return (f"shared_buffers={memory // 4 >> 20}MB", *_RARE_CHECKPOINTS)


def _programs():
    """The folder of the newest version's programs; None: there is none."""
    folders = glob.glob("/usr/lib/postgresql/*/bin")
    folders = [folder for folder in folders if os.access(f"{folder}/initdb", os.X_OK)]
    return max(folders, key=lambda folder: float(folder.split("/")[4]), default=None)


def _as_server_user():
    """The start of a command that the server's user runs; None: that isn't possible."""
    if os.geteuid() != 0:
        return []
    try:
        pwd.getpwnam(_SERVER_USER)
    except KeyError:
        return None
    program = shutil.which("setpriv")
    return program and [program, f"--reuid={_SERVER_USER}", f"--regid={_SERVER_USER}",
                        "--init-groups"]


def is_available():
    return _programs() is not None and _as_server_user() is not None


class Database:
    """Started by its creation. `address` is as libpq takes it."""

    def __init__(self, place, cpus=None, settings=("shared_buffers=256MB", "max_wal_size=4GB")):
        """`place` is the folder in which the server's folder is made; None: that of temporary files."""
        self._programs, user = _programs(), _as_server_user()
        if self._programs is None or user is None:
            raise SystemExit("PostgreSQL is needed: apt-get install postgresql")
        self._process = None
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="benchmarks-postgres-", dir=place))
        try:
            if user:
                shutil.chown(self._folder, _SERVER_USER, _SERVER_USER)
            self.address = f"host={self._folder} user={_SERVER_USER} dbname=postgres"
            subprocess.run([*user, f"{self._programs}/initdb", "--pgdata", self._folder / "data",
                            "--auth=trust", f"--username={_SERVER_USER}", "--encoding=UTF8",
                            "--locale=C"], cwd=self._folder, check=True, capture_output=True)
            with open(self._folder / "log", "w") as log:
                self._process = processes.start(
                    [*user, f"{self._programs}/postgres", "-D", str(self._folder / "data"), "-k",
                     str(self._folder), "-c", "listen_addresses=",
                     *[part for setting in settings for part in ("-c", setting)]],
                    cpus, cwd=self._folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            self._wait()
        except BaseException:
            self.end()
            raise

    def _wait(self):
        for _ in range(600):
            if self._process.poll() is not None:
                break
            if self._psql("SELECT 1").returncode == 0:
                return
            time.sleep(0.05)
        log = (self._folder / "log").read_text().strip()
        raise SystemExit(f"PostgreSQL didn't start: {log[-300:]}")

    def _psql(self, sql):
        return subprocess.run([f"{self._programs}/psql", "-X", "-Atq", "-v", "ON_ERROR_STOP=1",
                               "-c", sql, self.address], capture_output=True, text=True)

    def query(self, sql):
        """The rows of a statement, each with | between its columns."""
        ended = self._psql(sql)
        if ended.returncode != 0:
            raise processes.Failure(f"PostgreSQL reports: {ended.stderr.strip()[:200]}")
        return ended.stdout.splitlines()

    def forget_fleets(self):
        """Removes all runs, so that the next one finds tables without old rows."""
        self.query("DROP SCHEMA IF EXISTS batchfetch CASCADE")

    def end(self):
        if self._process is not None:
            # After SIGTERM it waits for its clients.
            processes.end(self._process, patience=30)
        shutil.rmtree(self._folder, ignore_errors=True)
