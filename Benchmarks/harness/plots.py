"""The plots of what grows, drawn by matplotlib.

Run as a program, too: a JSON of curves on its standard input, the folder for the drawings as its
argument. So it may run under another Python than the harness: Debian's has the package, others not.
"""

import json
import pathlib
import subprocess
import sys

_INTERPRETERS = (sys.executable, "/usr/bin/python3")


def draw(curves, folder):
    """Draws one SVG for each of `curves`; whether there was a matplotlib to do it."""
    for interpreter in _INTERPRETERS:
        if subprocess.run([interpreter, "-c", "import matplotlib"],
                          capture_output=True).returncode == 0:
            subprocess.run([interpreter, __file__, str(folder)], check=True, text=True,
                           input=json.dumps(curves))
            return True
    return False


# The library's clients thick, floors in grey, and a second loop or names of hosts dashed.
_COLOURS = {
    "cfloor-handoff": "black", "cfloor-bare": "darkgrey", "cfloor-shards": "tab:brown",
    "transport": "tab:blue", "batchfetch": "tab:red", "curl -Z 300": "tab:green",
    "async": "tab:red", "curlurlsession": "tab:pink", "urlsession": "tab:purple", "ahc": "tab:orange",
    "curl --parallel": "tab:green", "wrk": "tab:cyan", "h2load": "tab:olive",
}


def _style(name):
    client = name.removesuffix(", names")
    is_dashed = client.endswith("-2") or client != name
    return {
        "color": _COLOURS.get(client.removesuffix("-1").removesuffix("-2")),
        "linewidth": 2.6 if client in ("transport", "async", "curlurlsession", "batchfetch") else 1.2,
        "linestyle": "--" if is_dashed else ":" if name in ("wrk", "h2load") else "-",
    }


def _draw_one(pyplot, curve, folder):
    figure, axes = pyplot.subplots(figsize=(7.5, 4.5))
    points = sorted({int(point) for values in curve["values"].values() for point in values})
    for name, values in curve["values"].items():
        known = sorted((int(point), value) for point, value in values.items())
        if known:
            axes.plot(*zip(*known), marker="o", markersize=3, label=name, **_style(name))
    axes.set(title=curve["title"], xlabel=curve["axis"], xscale="log", yscale="log")
    axes.set_xticks(points, [f"{point:,}" for point in points])
    axes.minorticks_off()
    low, high = axes.get_ylim()
    ticks = [step * 10 ** power for power in range(-1, 7) for step in (1, 2, 5)]
    ticks = [tick for tick in ticks if low <= tick <= high]
    axes.set_yticks(ticks, [f"{tick:,g}" for tick in ticks])
    axes.grid(alpha=0.3)
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
    figure.savefig(folder / f"{curve['name']}.svg", bbox_inches="tight", metadata={"Date": None})
    pyplot.close(figure)


def main():
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
    # Text stays text, and the same figures give the same file.
    pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "benchmarks"})
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for curve in json.load(sys.stdin):
        _draw_one(pyplot, curve, folder)


if __name__ == "__main__":
    main()
