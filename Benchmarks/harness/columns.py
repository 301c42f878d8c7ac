"""The columns of the tables, for each kind of scenario."""

from .scenarios import Kind

UNKNOWN = "–"


def number(value, form, scale=1):
    return UNKNOWN if value is None else format(value / scale, form)


def _strong(text):
    return text if text == UNKNOWN else f"**{text}**"


class Column:
    """A heading, and a figure's text. The floor's figures are None where it wasn't measured."""

    def __init__(self, heading, text):
        self.heading = heading
        self.text = text


def _figure(heading, name, form, scale=1, strong=False):
    def text(figures, floor):
        plain = number(getattr(figures, name), form, scale)
        return _strong(plain) if strong else plain
    return Column(heading, text)


def _ratio(name):
    def text(figures, floor):
        return number(floor and figures.ratio(name, floor), ".2f")
    return Column("× floor", text)


def _range(heading, name, form):
    def text(figures, floor):
        values = [value for value in figures.of_rounds(name) if value is not None]
        if not values:
            return UNKNOWN
        low, high = format(min(values), form), format(max(values), form)
        return f"**{format(getattr(figures, name), form)}** ({low}–{high})"
    return Column(heading, text)


_CPU_EACH = [
    Column("CPU µs/request (user+system)", lambda figures, floor:
           f"**{figures.cpu:.1f}** ({figures.user:.1f}+{figures.system:.1f})"),
    _ratio("cpu"),
]
_PEAK = _figure("peak MiB", "memory", ".1f", 1024)
_CONNECTIONS = _figure("connections", "connections", ".0f")
_ERRORS = Column("errors", lambda figures, floor: figures.state)

COLUMNS = {
    Kind.RATE: [
        _range("requests/s (min–max)", "rate", ",.0f"), _ratio("rate"), *_CPU_EACH,
        _figure("p50 ms", "p50", ".3f"), _ratio("p50"), _figure("p99 ms", "p99", ".3f"),
        _PEAK, _CONNECTIONS, _ERRORS,
    ],
    Kind.WAIT: [
        _figure("wall s", "seconds", ".2f", strong=True), _ratio("seconds"),
        _figure("KiB per request in flight", "growth_each", ".1f", strong=True),
        _ratio("growth_each"), *_CPU_EACH, _PEAK, _CONNECTIONS, _ERRORS,
    ],
    Kind.IDLE: [
        _figure("CPU s in all", "cpu_in_all", ".3f", strong=True), _ratio("cpu_in_all"),
        _figure("wall s", "seconds", ".2f"),
        _figure("KiB per request in flight", "growth_each", ".1f"), _PEAK, _CONNECTIONS, _ERRORS,
    ],
    Kind.BULK: [
        _range("GB/s (min–max)", "speed", ".2f"), _ratio("speed"),
        _figure("CPU s in all", "cpu_in_all", ".3f"), _ratio("cpu_in_all"),
        _figure("memory growth MiB", "growth", ".1f", 1024, strong=True), _PEAK, _ERRORS,
    ],
    Kind.FILES: [
        _range("files/s (min–max)", "rate", ",.0f"), _CPU_EACH[0], _PEAK, _CONNECTIONS, _ERRORS,
    ],
    Kind.START: [
        _figure("wall ms", "p50", ".2f", strong=True), _ratio("p50"),
        _figure("slowest ms", "p99", ".2f"),
        _figure("peak MiB", "memory", ".1f", 1024, strong=True), _ratio("memory"), _ERRORS,
    ],
}
