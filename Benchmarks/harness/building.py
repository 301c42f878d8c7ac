"""Builds the clients, as services are built: optimised, and with Swift's own libraries within."""

import subprocess
import sys


def build(folder, check=True, product=None):
    """Builds the package in a folder, or a product of one it depends on; false: it failed."""
    # Without it, SwiftPM overlooks files that have come into the library's own package.
    (folder / "Package.swift").touch()
    command = ["swift", "build", "-c", "release", "--static-swift-stdlib", "--package-path"]
    command += [str(folder), *(["--product", product] if product else [])]
    return subprocess.run(command, check=check, stdout=sys.stderr).returncode == 0
