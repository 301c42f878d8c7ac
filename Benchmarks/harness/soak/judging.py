"""Whether a run kept what is promised: pure functions of what was counted."""

import dataclasses

from .sampling import growth
from .schedule import LIMITS

# Until then, caches and pools grow: a share of the run.
WARM_UP = 0.2

# How much a figure may grow from the end of the warm-up to the last request, by the slope: as much, or
# this share of its median.
_GROWTHS = {
    "resident memory": (8 * 1024, 0.05, " KiB", lambda sample: sample.resident),
    "proportional memory": (8 * 1024, 0.05, " KiB", lambda sample: sample.proportional),
    "descriptors": (8, 0.1, "", lambda sample: sample.descriptors),
    "threads": (2, 0.1, "", lambda sample: sample.threads),
}


@dataclasses.dataclass
class Verdict:
    promise: str
    is_kept: bool
    found: str


def steady(samples):
    """The samples after the warm-up."""
    if not samples:
        return []
    begins = samples[0].at + WARM_UP * (samples[-1].at - samples[0].at)
    return [sample for sample in samples if sample.at >= begins]


def judge_growth(samples):
    after = steady(samples)
    for name, (amount, share, unit, value) in _GROWTHS.items():
        points = [(sample.at, value(sample)) for sample in after]
        grown = growth(points)
        if grown is None:
            yield Verdict(f"{name} flat", False, f"{len(points)} samples: too few, the run was too short")
            continue
        median = sorted(point[1] for point in points)[len(points) // 2]
        limit = max(amount, share * median)
        yield Verdict(f"{name} flat", grown <= limit,
                      f"{grown:+,.0f}{unit} at a median of {median:,.0f}{unit}, limit {limit:,.0f}")


def judge_requests(sums, wanted, is_bounded):
    """That each request got one answer, its own. `is_bounded`: the run may end before it sent them all."""
    lost = {word: sums.count(word) for word in ("unanswered", "silent", "malformed", "foreign", "wrong")}
    lost["unasked"] = sums.unasked
    lost["without an end"] = sums.sent - sums.ended
    named = ", ".join(f"{count} {word}" for word, count in lost.items() if count)
    yield Verdict("each request got exactly one response, its own", not named,
                  named or f"{sums.ended:,} requests")
    if not is_bounded:
        yield Verdict("all requests were sent in time", sums.sent == wanted,
                      f"{sums.sent:,} of {wanted:,}")


def judge_counts(sums, by_metrics, last_counts, upstream):
    """That gateway and upstreams have counted what the client has. `last_counts`: requests taken and
    completed, by the gateway's last line."""
    yield Verdict("the gateway's metrics have counted each request once", by_metrics == sums.sent,
                  "no counter" if by_metrics is None else f"{by_metrics:,} of {sums.sent:,}")
    whole = sums.ended - sums.count("truncated", "unanswered", "silent", "malformed")
    yield Verdict("the gateway says the same at its end", last_counts == (sums.sent, whole),
                  "it says nothing" if last_counts is None else
                  f"{last_counts[0]:,} of {sums.sent:,} taken, {last_counts[1]:,} of {whole:,} completed")
    answered = sums.count("200")
    yield Verdict("upstreams have seen at least what was answered", upstream >= answered,
                  f"{upstream:,} seen, {answered:,} answered with 200")


def judge_posts(sums, posts):
    answered = sums.count("200", method="POST")
    yield Verdict("no POST reached an upstream twice", not posts.repeated,
                  f"{len(posts.repeated)} of {len(posts.numbers):,}")
    yield Verdict("each answered POST reached an upstream", len(posts.numbers) >= answered,
                  f"{len(posts.numbers):,} seen, {answered:,} answered with 200")


def failures(quarters, windows):
    """The requests without status 200: those that each kind of fault explains, and the others, as lists of
    (time, target, outcome, count)."""
    explained, others = {}, []
    for quarter in quarters:
        for target, outcome, count in quarter.outcomes:
            if outcome == "200":
                continue
            window = next((window for window in reversed(windows)
                           if window.allows(target, outcome, quarter.began, quarter.ended)), None)
            if window:
                kinds = explained.setdefault(window.kind, {})
                kinds[outcome] = kinds.get(outcome, 0) + count
            else:
                others.append((quarter.began, target, outcome, count))
    return explained, others


def judge_failures(others, began):
    count = sum(failure[3] for failure in others)
    first = "; ".join(f"{number} × {target} {outcome} after {at - began:.1f} s"
                      for at, target, outcome, number in others[:5])
    yield Verdict("each failure is explained by a fault", not others,
                  f"{count:,} are not: {first}" if others else "no other failure")


def judge_rotations(rotations, kinds):
    for kind in kinds:
        done = [rotation for rotation in rotations if rotation.kind == kind and rotation.is_complete]
        late = [rotation for rotation in done if not rotation.is_kept]
        longest = max((rotation.last_seen for rotation in done), default=0)
        unseen = sum(rotation.first_seen is None for rotation in done)
        found = f"{len(done)} times, the former one used for at most {longest:.1f} s"
        if unseen:
            found += f", {unseen} never seen"
        yield Verdict(f"{kind} followed within {LIMITS[kind]:g} s", bool(done) and not late,
                      found if done else "not completed: the run was too short")


def judge_schedule(windows, kinds):
    missing = [kind for kind in kinds if not any(window.kind == kind for window in windows)]
    yield Verdict("each kind of fault was injected", not missing,
                  f"not {', '.join(missing)}: the run was too short" if missing
                  else f"{len(windows)} faults")


def judge_end(ran_on, has_ended, status, patience):
    """`ran_on`: it ended only when it was asked to."""
    yield Verdict("the gateway runs until the end", ran_on,
                  "it does" if ran_on else f"it ended by itself, exit status {status}")
    yield Verdict(f"ends within {patience:g} s of SIGTERM", has_ended and status == 0,
                  f"exit status {status}" if has_ended else "it still runs")
