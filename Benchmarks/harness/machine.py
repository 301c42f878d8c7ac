"""What the figures were measured on and with."""

import os
import platform
import shutil
import subprocess


def _first_line(*argv):
    if not shutil.which(argv[0], path=os.environ.get("PATH", "") + ":/usr/sbin"):
        return "not installed"
    environment = dict(os.environ, PATH=os.environ.get("PATH", "") + ":/usr/sbin")
    result = subprocess.run(argv, capture_output=True, text=True, env=environment)
    return ((result.stdout or result.stderr).strip().splitlines() or ["unknown"])[0]


def _value(path, key):
    try:
        with open(path) as file:
            for line in file:
                if line.startswith(key):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return "unknown"


def _distribution():
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return "unknown"


def describe(folder):
    return {
        "processor": f"{os.cpu_count()} × {_value('/proc/cpuinfo', 'model name')}",
        "memory": _value("/proc/meminfo", "MemTotal"),
        "system": f"{_distribution()}, Linux {platform.release()}",
        "libcurl": _first_line("curl", "--version"),
        "nginx": _first_line("nginx", "-v"),
        "Swift": _first_line("swift", "--version"),
        "revision": _first_line("git", "-C", str(folder), "describe", "--always", "--dirty"),
    }
