"""Builds the clients, as services are built: optimised, and with Swift's own libraries within."""

import subprocess
import sys


def build(folder, check=True, product=None, shared=None):
    """Builds the package in a folder, or a product of one it depends on; false: it failed.

    With `shared`, the build folder of another package, only what isn't compiled there is compiled,
    and Swift's libraries are linked dynamically, as there.
    """
    # Without it, SwiftPM overlooks files that have come into the library's own package.
    (folder / "Package.swift").touch()
    command = ["swift", "build", "-c", "release", "--package-path", str(folder)]
    command += ["--product", product] if product else []
    if not shared:
        command.append("--static-swift-stdlib")
        return subprocess.run(command, check=check, stdout=sys.stderr).returncode == 0
    # SwiftPM takes the plan of another package's build for up to date: none is left behind.
    command += ["--scratch-path", str(shared), "--disable-build-manifest-caching"]
    try:
        return subprocess.run(command, check=check, stdout=sys.stderr).returncode == 0
    finally:
        (shared / "release.yaml").unlink(missing_ok=True)
