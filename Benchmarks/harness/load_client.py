"""Clients with the command line and the JSON line that Sources/LoadSupport describes."""

import json
import os

from . import namespaces
from .client import Client
from .scenarios import Kind
from .servers import SYSTEM_ROOTS


class LoadClient(Client):
    def __init__(self, name, program, *arguments, in_quick=True, only=None, is_asked_for=False):
        """`only`: the names of the scenarios it takes part in. `is_asked_for`: the client is measured
        only if it is named on the command line."""
        self.name = name
        self._argv = [program, *arguments]
        self.in_quick = in_quick
        self._only = only
        self.is_asked_for = is_asked_for
        self.is_present = os.access(program, os.X_OK)

    def can(self, scenario):
        return self._only is None or scenario.name in self._only

    def command(self, order):
        return self._argv + order.arguments()

    def result(self, order, ended):
        if ended.status < 0:  # whatever it had said before
            raise ended.failure()
        try:
            return json.loads(ended.output.strip().splitlines()[-1])
        except (ValueError, IndexError):
            raise ended.failure() from None


class SecondLoop(LoadClient):
    """The same with a second loop or thread: of use only where there are several connections."""

    def __init__(self, name, program, *arguments, only=None):
        super().__init__(name, program, *arguments, "--loops", "2", in_quick=False, only=only)

    def can(self, scenario):
        return (super().can(scenario) and scenario.kind is Kind.RATE and scenario.concurrency > 1
                and not scenario.http2)


class URLSessionClient(LoadClient):
    """It trusts the system's roots alone: so ours is put among them, in a mount namespace."""

    share = 0.1

    def __init__(self, name, program, *arguments, only=None):
        super().__init__(name, program, *arguments, only=only)
        self._can_mount = self.is_present and namespaces.can_replace(SYSTEM_ROOTS)

    def can(self, scenario):
        is_trusted = scenario.server not in ("tls", "h2") or self._can_mount
        return is_trusted and super().can(scenario)

    def command(self, order):
        argv = super().command(order)
        if not order.roots_file:
            return argv
        return namespaces.with_file(order.servers.bundle_file, SYSTEM_ROOTS, argv)
