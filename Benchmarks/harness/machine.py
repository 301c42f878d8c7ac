"""What the figures were measured on and with."""

import json
import os
import platform
import shutil
import subprocess

# The fact that names the libcurl of scenarios that use another one.
OTHER_LIBCURL = "libcurl of `h1-64-other`"


def _first_line(*argv, **variables):
    if not shutil.which(argv[0], path=os.environ.get("PATH", "") + ":/usr/sbin"):
        return "not installed"
    environment = dict(os.environ, PATH=os.environ.get("PATH", "") + ":/usr/sbin", **variables)
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


def _memory():
    kilobytes = _value("/proc/meminfo", "MemTotal").split()[0]
    return f"{int(kilobytes) / (1 << 20):.0f} GiB" if kilobytes.isdigit() else kilobytes


def library_path(folder):
    """`LD_LIBRARY_PATH` with a folder before all others."""
    others = os.environ.get("LD_LIBRARY_PATH")
    return f"{folder}:{others}" if others else str(folder)


def libcurl(folder=None):
    """The version of the system's libcurl, or of the one in a folder, and those of what a request
    passes through."""
    variables = {"LD_LIBRARY_PATH": library_path(folder)} if folder else {}
    words = _first_line("curl", "--version", **variables).split()
    wanted = ("libcurl/", "OpenSSL/", "GnuTLS/", "nghttp2/")
    return ", ".join(word for word in words if word.startswith(wanted)) or "unknown"


def _package_version(folder, name):
    """The version of a package that was built into the peers."""
    try:
        state = json.loads((folder / "Peers/.build/workspace-state.json").read_text())
        for dependency in state["object"]["dependencies"]:
            if dependency["packageRef"]["identity"] == name:
                return dependency["state"]["checkoutState"]["version"]
    except (OSError, ValueError, KeyError):
        pass
    return "not built"


def describe(folder, other_libcurl=None):
    """`other_libcurl`: the folder of the libcurl of scenarios that use another one, or None."""
    other = other_libcurl and {OTHER_LIBCURL: libcurl(other_libcurl)}
    return {
        "processor": f"{os.cpu_count()} × {_value('/proc/cpuinfo', 'model name')}",
        "memory": _memory(),
        "system": f"{_distribution()}, Linux {platform.release().split('-')[0]}",
        "libcurl": libcurl(),
        **(other or {}),
        "nginx": _first_line("nginx", "-v").removeprefix("nginx version: "),
        "Swift (and URLSession)": _first_line("swift", "--version"),
        "async-http-client": _package_version(folder, "async-http-client"),
        "wrk": " ".join(_first_line("wrk", "--version").split()[:2]),
        "h2load": _first_line("h2load", "--version"),
        "aria2": _first_line("aria2c", "--version"),
        "wget2": _first_line("wget2", "--version").split(" - ")[0],
        "revision": _first_line("git", "-C", str(folder), "describe", "--always", "--dirty"),
    }
