"""Checks of the pure functions that judge a soak, without a server: `soak --check`."""

import itertools
import random
import unittest

from . import judging
from .gateway import counted
from .injecting import Rotation
from .logs import Log, Posts
from .sampling import Sample, growth, slope
from .schedule import KINDS, Window, faults
from .traffic import Quarter, Sums, latency, percentile


def _sums(outcomes, sent=None, unasked=0):
    count = sum(outcome[2] for outcome in outcomes)
    return Sums(count if sent is None else sent, count, unasked, outcomes, {})


def _broken(verdicts):
    return [verdict.promise for verdict in verdicts if not verdict.is_kept]


class SlopeChecks(unittest.TestCase):
    def test_peaks_dont_move_the_slope(self):
        points = [(at, 100 + (500 if at % 10 == 0 else 0)) for at in range(200)]
        self.assertAlmostEqual(slope(points), 0)

    def test_steady_growth_is_found_beside_noise(self):
        source = random.Random(1)
        points = [(at, 1000 + 2 * at + source.uniform(-50, 50)) for at in range(1000)]
        self.assertAlmostEqual(slope(points), 2, delta=0.1)
        self.assertAlmostEqual(growth(points), 2000, delta=100)

    def test_few_points_have_no_growth(self):
        self.assertIsNone(growth([(0, 1), (1, 2)]))


class GrowthChecks(unittest.TestCase):
    def _judge(self, **changes):
        samples = [Sample(at, 50_000 + changes.get("memory", 0) * at, 40_000,
                          100 + changes.get("descriptors", 0) * at, 8) for at in range(0, 1000, 2)]
        return _broken(judging.judge_growth(samples))

    def test_what_is_flat_is_kept(self):
        self.assertEqual(self._judge(), [])

    def test_a_leak_of_memory_is_found(self):
        self.assertEqual(self._judge(memory=15), ["resident memory flat"])

    def test_a_leak_of_descriptors_is_found(self):
        self.assertEqual(self._judge(descriptors=0.05), ["descriptors flat"])

    def test_growth_during_the_warm_up_is_allowed(self):
        samples = [Sample(at, 50_000 + min(at, 150) * 500, 40_000, 100, 8) for at in range(0, 1000, 2)]
        self.assertEqual(_broken(judging.judge_growth(samples)), [])

    def test_a_run_without_samples_shows_nothing(self):
        self.assertEqual(len(_broken(judging.judge_growth([]))), 4)


class CountChecks(unittest.TestCase):
    answered = _sums([["GET /plain/1k", "200", 98], ["POST /plain/1k", "200", 1], ["GET /far/1k", "502", 1]])

    def test_one_answer_each_is_kept(self):
        self.assertEqual(_broken(judging.judge_requests(self.answered, 100, False)), [])

    def test_lost_and_foreign_answers_are_found(self):
        for word in ("unanswered", "silent", "malformed", "foreign", "wrong"):
            sums = _sums([["GET /plain/1k", "200", 99], ["GET /plain/1k", word, 1]])
            self.assertEqual(len(_broken(judging.judge_requests(sums, 100, False))), 1, word)
        self.assertEqual(len(_broken(judging.judge_requests(_sums([], unasked=1), 0, False))), 1)
        self.assertEqual(len(_broken(judging.judge_requests(_sums([], sent=1), 1, False))), 1)

    def test_a_run_that_sent_too_few_is_found_unless_it_was_bounded(self):
        self.assertEqual(len(_broken(judging.judge_requests(self.answered, 200, False))), 1)
        self.assertEqual(_broken(judging.judge_requests(self.answered, 200, True)), [])

    def test_counts_must_agree(self):
        self.assertEqual(_broken(judging.judge_counts(self.answered, 100, (100, 100), 99)), [])
        for counts in ((99, (100, 100), 99), (None, (100, 100), 99), (100, (101, 100), 99),
                       (100, (100, 99), 99), (100, None, 99), (100, (100, 100), 98)):
            self.assertEqual(len(_broken(judging.judge_counts(self.answered, *counts))), 1, counts)

    def test_repeated_and_missing_posts_are_found(self):
        posts = Posts()
        self.assertEqual(len(_broken(judging.judge_posts(self.answered, posts))), 1)
        posts.add(7)
        self.assertEqual(_broken(judging.judge_posts(self.answered, posts)), [])
        posts.add(7)
        self.assertEqual(len(_broken(judging.judge_posts(self.answered, posts))), 1)

    def test_metrics_are_summed_without_the_gateways_own_pages(self):
        text = ('# TYPE hb_requests_total counter\n'
                'hb_requests_total{http_route="/plain/1k",http_request_method="GET"} 40\n'
                'hb_requests_total{http_route="/far/1k"} 2\n'
                'hb_requests_total{http_route="/metrics"} 9\n'
                'http_server_request_duration_seconds_count{http_route="/plain/1k"} 7\n')
        self.assertEqual(counted(text), 42)
        self.assertIsNone(counted("other_total 3\n"))


class FailureChecks(unittest.TestCase):
    def _others(self, target, outcome, at, kind="restart"):
        quarter = Quarter(at, at + 0.25, [[target, "200", 9], [target, outcome, 1]], [])
        return judging.failures([quarter], [Window(kind, 100, 102)])[1]

    def test_a_fault_explains_failures_of_its_route_and_its_time(self):
        self.assertEqual(self._others("GET /pair/1k", "502", 101), [])
        self.assertEqual(self._others("GET /pair/1k", "truncated", 111), [])

    def test_other_failures_are_found(self):
        for case in (("GET /pair/1k", "502", 99), ("GET /pair/1k", "502", 113),
                     ("GET /plain/1k", "502", 101), ("GET /pair/1k", "404", 101),
                     ("GET /pair/1k", "unanswered", 101), ("GET /plain/1k", "502", 101, "reload"),
                     ("GET /names/1k", "502", 101, "move"), ("POST /tls/1k", "502", 101, "identity")):
            self.assertEqual(len(self._others(*case)), 1, case)
        self.assertEqual(self._others("POST /plain/1k", "502", 101, "reload"), [])

    def test_a_breaker_explains_503_alone_for_longer(self):
        self.assertEqual(self._others("GET /far/1k", "503", 150, "cut"), [])
        self.assertEqual(len(self._others("GET /far/1k", "502", 150, "cut")), 1)


class RotationChecks(unittest.TestCase):
    def _judge(self, first_seen, last_seen, is_complete=True):
        rotation = Rotation("identity", 10)
        rotation.first_seen, rotation.last_seen, rotation.is_complete = first_seen, last_seen, is_complete
        return _broken(judging.judge_rotations([rotation], ["identity"]))

    def test_the_limit_holds_for_the_last_use_of_the_former(self):
        self.assertEqual(self._judge(1, 4.9), [])
        self.assertEqual(len(self._judge(1, 5.1)), 1)

    def test_what_is_never_seen_or_not_completed_isnt_kept(self):
        self.assertEqual(len(self._judge(None, 0)), 1)
        self.assertEqual(len(self._judge(1, 1, is_complete=False)), 1)


class ScheduleChecks(unittest.TestCase):
    def test_a_seed_gives_the_same_faults_and_each_kind_in_each_round(self):
        count = 3 * len(KINDS)
        first, second = (list(itertools.islice(faults(5, 2), count)) for _ in range(2))
        self.assertEqual(first, second)
        for start in range(0, count, len(KINDS)):
            self.assertEqual({fault.kind for fault in first[start:start + len(KINDS)]}, set(KINDS))
        self.assertNotEqual(first, list(itertools.islice(faults(6, 2), count)))

    def test_kinds_that_werent_injected_are_found(self):
        self.assertEqual(len(_broken(judging.judge_schedule([Window("cut", 0, 1)], ["cut", "move"]))), 1)


class ReadingChecks(unittest.TestCase):
    def test_latencies_are_read_as_the_client_writes_them(self):
        for micros in (0, 63, 64, 127, 128, 1000, 1_000_000):
            shift = max(0, micros.bit_length() - 7)
            index = micros if micros < 128 else 64 * (shift + 1) + (micros >> shift) - 64
            self.assertAlmostEqual(latency(index), micros / 1e3, delta=micros / 1e3 / 32)
        self.assertEqual(percentile({64: 99, 100: 1}, 0.5), 0.064)
        self.assertEqual(percentile({64: 99, 100: 1}, 0.99), 0.1)
        self.assertIsNone(percentile({}, 0.5))

    def test_a_log_has_counts_posts_and_identities(self):
        posts = Posts()
        log = Log("", posts, has_identity=True)
        log.last = 5
        log._take(b". CN=client-1 1\n17 CN=client-1 1\n. CN=client-2 1\n")
        self.assertEqual((log.count, posts.numbers), (3, {17}))
        self.assertEqual(set(log.subjects), {"CN=client-1", "CN=client-2"})
        self.assertEqual(log.generations, {"1": (5, 5)})


def are_kept():
    suite = unittest.defaultTestLoader.loadTestsFromName(__name__)
    return unittest.TextTestRunner().run(suite).wasSuccessful()
