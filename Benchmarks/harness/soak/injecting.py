"""Injects the faults, one after the other, while the client sends its requests."""

import time

from .schedule import LIMITS, Window


class Ended(Exception):
    """The client has sent its last request."""


class Rotation:
    """Something that was replaced, and how long the former one was used after that."""

    def __init__(self, kind, at):
        self.kind = kind
        self.at = at
        self.first_seen = None  # seconds until the new one was used; None: never
        self.last_seen = 0.0    # seconds until the former one was used last
        self.is_complete = False

    @property
    def is_kept(self):
        return self.first_seen is not None and self.last_seen <= LIMITS[self.kind]


class Injector:
    def __init__(self, upstreams, is_running, kinds):
        """`is_running` says whether the client still sends requests."""
        self.windows = []
        self.rotations = []
        self.skipped = set()
        self._upstreams = upstreams
        self._is_running = is_running
        self._kinds = set(kinds)
        self._place = 0
        if not upstreams.has_names:
            self.skipped.add("move")

    def inject(self, faults):
        """Until the client has ended."""
        try:
            for fault in faults:
                self._wait(fault.gap)
                if fault.kind in self._kinds and fault.kind not in self.skipped:
                    self._inject(fault)
        except Ended:
            pass

    def _inject(self, fault):
        window = Window(fault.kind, time.monotonic(), float("inf"))
        self.windows.append(window)
        try:
            getattr(self, f"_{fault.kind}")(fault)
        finally:
            window.ended = time.monotonic()

    def _wait(self, seconds):
        self._wait_until(lambda: False, seconds)

    def _wait_until(self, is_so, seconds):
        """Whether it is so within that time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not self._is_running():
                raise Ended
            if is_so():
                return True
            time.sleep(0.05)
        return False

    def _cut(self, fault):
        self._with_proxy(f"drop {fault.amount}", "drop 0", fault.duration)

    def _refuse(self, fault):
        self._with_proxy(f"refuse {fault.amount}", "drop 0", fault.duration)

    def _stall(self, fault):
        self._with_proxy(f"delay {fault.amount}", "delay 0", fault.duration)

    def _with_proxy(self, line, opposite, seconds):
        self._upstreams.change_proxy(line)
        try:
            self._wait(seconds)
        finally:
            self._upstreams.change_proxy(opposite)

    def _reload(self, fault):
        for _ in range(3):
            self._upstreams.plain.reload()
            self._wait(fault.duration / 3)

    def _restart(self, fault):
        server = self._upstreams.pair[fault.amount]
        server.end()
        try:
            self._wait(fault.duration)
        finally:
            server.start()

    def _move(self, fault):
        former, self._place = self._place, 1 - self._place
        old, new = self._upstreams.places[former], self._upstreams.places[self._place]
        rotation = self._rotation("move")
        before = new.log.count
        self._upstreams.move_name(self._place)
        self._follow(rotation, lambda: new.log.last if new.log.count > before else None,
                     lambda: old.log.last)
        # What still used the former address would fail now.
        old.end()
        try:
            self._wait(fault.duration)
        finally:
            old.start()

    def _certificate(self, _):
        certificates, log = self._upstreams.certificates, self._upstreams.tls.log
        former = str(certificates.server_generation)
        certificates.add_root()
        self._wait(LIMITS["certificate"])
        certificates.renew_server()
        rotation = self._rotation("certificate")
        self._upstreams.tls.reload()
        self._follow(rotation, lambda: log.generations.get(str(certificates.server_generation), (None,))[0],
                     lambda: log.generations.get(former, (None, None))[1])
        # From now on the former root is worth nothing.
        certificates.forget_old_roots()

    def _identity(self, _):
        certificates, log = self._upstreams.certificates, self._upstreams.tls.log
        former = certificates.subject
        rotation = self._rotation("identity")
        certificates.renew_client()
        self._follow(rotation, lambda: log.subjects.get(certificates.subject, (None,))[0],
                     lambda: log.subjects.get(former, (None, None))[1])

    def _rotation(self, kind):
        self.rotations.append(Rotation(kind, time.monotonic()))
        return self.rotations[-1]

    def _follow(self, rotation, first, last):
        """Waits until the former one hasn't been used for 1.5 seconds, or until a second after the limit.
        `first` and `last` are when the new one was first, and the former one last, seen."""
        def is_over():
            if first() is None:
                return False
            rotation.first_seen = rotation.first_seen or max(0.0, first() - rotation.at)
            rotation.last_seen = max(0.0, (last() or 0) - rotation.at)
            return time.monotonic() - max(rotation.at, last() or 0) > 1.5
        self._wait_until(is_over, LIMITS[rotation.kind] + 1)
        rotation.is_complete = True
