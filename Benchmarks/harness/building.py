"""Builds the clients, as services are built: optimised, and with Swift's own libraries within."""

import subprocess
import sys


def build(folder, check=True):
    """Builds the package in a folder; false: it failed."""
    # Without it, SwiftPM overlooks files that have come into the library's own package.
    (folder / "Package.swift").touch()
    command = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--package-path"]
    return subprocess.run([*command, str(folder)], check=check, stdout=sys.stderr).returncode == 0
