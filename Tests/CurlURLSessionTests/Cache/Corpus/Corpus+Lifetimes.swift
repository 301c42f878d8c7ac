/// Cases for how long a response is fresh.
extension Corpus {
    static let freshness: [CorpusCase] = [
        .reuse("freshness-none", .check, [], .notCached),
        .reuse("freshness-max-age", .optimal, [("Cache-Control", "max-age=3600")], .cached),
        .reuse("freshness-max-age-stale", .required, [("Cache-Control", "max-age=2")], .notCached),
        .reuse("freshness-max-age-0", .required, [("Cache-Control", "max-age=0")], .notCached),
        .reuse(
            "freshness-max-age-max-minus-1",
            .optimal,
            [("Cache-Control", "max-age=2147483647")],
            .cached
        ),
        .reuse(
            "freshness-max-age-max",
            .optimal,
            [("Cache-Control", "max-age=2147483648")],
            .cached
        ),
        .reuse(
            "freshness-max-age-max-plus-1",
            .optimal,
            [("Cache-Control", "max-age=2147483649")],
            .cached
        ),
        .reuse(
            "freshness-max-age-max-plus",
            .optimal,
            [("Cache-Control", "max-age=99999999999")],
            .cached
        ),
        .reuse(
            "freshness-max-age-age",
            .required,
            [("Date", "@0"), ("Cache-Control", "max-age=3600"), ("Age", "7200")],
            .notCached
        ),
        .reuse(
            "freshness-max-age-date",
            .check,
            [("Date", "@-7200"), ("Cache-Control", "max-age=3600")],
            .notCached
        ),
        .reuse(
            "freshness-max-age-expires",
            .optimal,
            [("Cache-Control", "max-age=3600"), ("Expires", "@-7200"), ("Date", "@0")],
            .cached
        ),
        .reuse(
            "freshness-max-age-expires-invalid",
            .optimal,
            [("Cache-Control", "max-age=3600"), ("Expires", "0"), ("Date", "@0")],
            .cached
        ),
        .reuse(
            "freshness-max-age-0-expires",
            .required,
            [("Expires", "@3600"), ("Cache-Control", "max-age=0"), ("Date", "@0")],
            .notCached
        ),
        .reuse(
            "freshness-max-age-extension",
            .optimal,
            [("Cache-Control", "foobar, max-age=3600")],
            .cached
        ),
        .reuse(
            "freshness-max-age-case-insenstive",
            .optimal,
            [("Cache-Control", "MaX-aGe=3600")],
            .cached
        ),
        .reuse(
            "freshness-max-age-negative",
            .required,
            [("Cache-Control", "max-age=-3600")],
            .notCached
        ),
        .reuse(
            "freshness-max-age-s-maxage-private",
            .required,
            [("Cache-Control", "s-maxage=3600, max-age=1")],
            .notCached
        ),
        .reuse(
            "freshness-max-age-s-maxage-private-multiple",
            .required,
            [("Cache-Control", "s-maxage=3600"), ("Cache-Control", "max-age=1")],
            .notCached
        ),
    ]

    private static func parsing(
        _ name: String,
        _ kind: CorpusCase.Kind,
        _ values: String...,
        expects: CorpusCase.Expectation,
        differs: String? = nil
    ) -> CorpusCase {
        .reuse(
            "freshness-max-age-" + name,
            kind,
            values.map { ("Cache-Control", $0) },
            expects,
            differs: differs
        )
    }

    private static let shorter = "of two lifetimes the shorter one holds"
    private static let unreadable = "a lifetime that can't be read is over"

    static let directives: [CorpusCase] = [
        parsing(
            "two-fresh-stale-sameline",
            .check,
            "max-age=1800, max-age=1",
            expects: .cached,
            differs: shorter
        ),
        parsing(
            "two-fresh-stale-sepline",
            .check,
            "max-age=1800",
            "max-age=1",
            expects: .cached,
            differs: shorter
        ),
        parsing(
            "two-stale-fresh-sameline",
            .check,
            "max-age=1, max-age=1800",
            expects: .cached,
            differs: shorter
        ),
        parsing(
            "two-stale-fresh-sepline",
            .check,
            "max-age=1",
            "max-age=1800",
            expects: .cached,
            differs: shorter
        ),
        parsing("quoted", .check, "max-age=\"3600\"", expects: .cached),
        parsing(
            "ignore-quoted",
            .required,
            "extension=\"max-age=3600\", max-age=1",
            expects: .notCached
        ),
        parsing(
            "ignore-quoted-rev",
            .required,
            "max-age=1, extension=\"max-age=3600\"",
            expects: .notCached
        ),
        parsing("space-before-equals", .check, "max-age =3600", expects: .notCached),
        parsing("space-after-equals", .check, "max-age= 3600", expects: .notCached),
        parsing("leading-zero", .optimal, "max-age=003600", expects: .cached),
        parsing("single-quoted", .required, "max-age='3600'", expects: .notCached),
        parsing(
            "decimal-zero",
            .check,
            "max-age=3600.0",
            expects: .cached,
            differs: unreadable
        ),
        parsing(
            "decimal-five",
            .check,
            "max-age=3600.5",
            expects: .cached,
            differs: unreadable
        ),
        parsing("a100", .check, "max-age=a3600", expects: .cached, differs: unreadable),
        parsing("100a", .check, "max-age=3600a", expects: .cached, differs: unreadable),
    ]

    private static func age(
        _ name: String,
        _ kind: CorpusCase.Kind,
        _ values: String...,
        lifetime: Int = 3600,
        expects: CorpusCase.Expectation,
        differs: String? = nil
    ) -> CorpusCase {
        .reuse(
            "age-parse-" + name,
            kind,
            [("Date", "@0"), ("Cache-Control", "max-age=\(lifetime)")]
                + values.map { ("Age", $0) },
            expects,
            differs: differs
        )
    }

    private static let notANumber = "an age that isn't a number is passed over (RFC 9111, 5.1)"

    static let ages: [CorpusCase] = [
        age("nonnumeric", .required, "abc", expects: .cached),
        age("negative", .required, "-7200", expects: .cached),
        age("float", .required, "7200.0", expects: .cached),
        age("large-minus-one", .required, "2147483647", expects: .notCached),
        age("large", .required, "2147483648", expects: .notCached),
        age("larger", .required, "2147483649", expects: .notCached),
        age("suffix", .required, "7200, 0", expects: .notCached),
        age("prefix", .required, "0, 7200", expects: .cached),
        age("suffix-twoline", .required, "7200", "0", expects: .notCached),
        age("prefix-twoline", .required, "0", "7200", expects: .cached),
        age("dup-0", .required, "0, 0", expects: .cached),
        age("dup-0-twoline", .required, "0", "0", expects: .cached),
        age("dup-old", .required, "3600", "3600", lifetime: 10_000, expects: .cached),
        age("parameter", .check, "7200;foo=bar", expects: .notCached, differs: notANumber),
        age(
            "numeric-parameter",
            .check,
            "7200;foo=111",
            expects: .notCached,
            differs: notANumber
        ),
    ]

    static let expiry: [CorpusCase] = [
        .reuse(
            "freshness-expires-future",
            .optimal,
            [("Expires", "@2592000"), ("Date", "@0")],
            .cached
        ),
        .reuse(
            "freshness-expires-past",
            .required,
            [("Expires", "@-2592000"), ("Date", "@0")],
            .notCached
        ),
        .reuse(
            "freshness-expires-present",
            .required,
            [("Expires", "@0"), ("Date", "@0")],
            .notCached,
            pauses: false
        ),
        .reuse(
            "freshness-expires-old-date",
            .required,
            [("Expires", "@300"), ("Date", "@400")],
            .notCached
        ),
        .reuse(
            "freshness-expires-invalid",
            .required,
            [("Expires", "0"), ("Date", "@0")],
            .notCached
        ),
        .reuse(
            "freshness-expires-invalid-date",
            .optimal,
            [("Date", "foo"), ("Expires", "@10")],
            .cached,
            pauses: false
        ),
        .reuse(
            "freshness-expires-age-slow-date",
            .required,
            [("Date", "@-10"), ("Expires", "@10"), ("Age", "25")],
            .notCached,
            pauses: false
        ),
        .reuse(
            "freshness-expires-age-fast-date",
            .required,
            [("Date", "@10"), ("Expires", "@20"), ("Age", "15")],
            .notCached,
            pauses: false
        ),
    ]

    private static func expires(
        _ name: String,
        _ values: String...,
        isRead: Bool
    ) -> CorpusCase {
        .reuse(
            "freshness-expires-" + name,
            isRead ? .optimal : .required,
            values.map { ("Expires", $0) } + [("Date", "@0")],
            isRead ? .cached : .notCached
        )
    }

    static let expiryDates: [CorpusCase] = [
        expires("32bit", "Tue, 19 Jan 2038 14:14:08 GMT", isRead: true),
        expires("far-future", "Sun, 21 Nov 2286 04:46:39 GMT", isRead: true),
        expires("rfc850", "Thursday, 18-Aug-50 02:01:18 GMT", isRead: true),
        expires("ansi-c", "Thu Aug  8 02:01:18 2050", isRead: true),
        expires("wrong-case-weekday", "THU, 18 Aug 2050 02:01:18 GMT", isRead: true),
        expires("wrong-case-month", "Thu, 18 AUG 2050 02:01:18 GMT", isRead: true),
        expires("wrong-case-tz", "Thu, 18 Aug 2050 02:01:18 gMT", isRead: true),
        expires("invalid-utc", "Thu, 18 Aug 2050 02:01:18 UTC", isRead: false),
        expires("invalid-aest", "Thu, 18 Aug 2050 02:01:18 AEST", isRead: false),
        expires("invalid-2-digit-year", "Thu, 18 Aug 50 02:01:18 GMT", isRead: false),
        expires("invalid-no-comma", "Thu 18 Aug 2050 02:01:18 GMT", isRead: false),
        expires("invalid-multiple-spaces", "Thu, 18  Aug  2050 02:01:18 GMT", isRead: false),
        expires("invalid-date-dashes", "Thu, 18-Aug-2050 02:01:18 GMT", isRead: false),
        expires("invalid-time-periods", "Thu, 18 Aug 2050 02.01.18 GMT", isRead: false),
        expires("invalid-1-digit-hour", "Thu, 18 Aug 2050 2:01:18 GMT", isRead: false),
        expires(
            "invalid-multiple-lines",
            "Thu, 18 Aug 2050 2:01:18 GMT",
            "Thu, 18 Aug 2050 2:01:19 GMT",
            isRead: false
        ),
    ]

    private static func guess(
        _ status: Int,
        _ isReused: Bool,
        _ more: CorpusCase.Fields = []
    ) -> CorpusCase {
        .reuse(
            "heuristic-\(status)-\(isReused ? "cached" : "not_cached")",
            isReused ? .optimal : .required,
            [("Last-Modified", "@-86400"), ("Date", "@0")] + more,
            isReused ? .cached : .notCached,
            status: status,
            pauses: false
        )
    }

    private static func guess(modified seconds: Int) -> CorpusCase {
        .reuse(
            "heuristic-delta-\(seconds)",
            .check,
            [("Last-Modified", "@-\(seconds)"), ("Date", "@0")],
            .cached,
            differs: seconds <= 30 ? "the guess is a tenth of the time since the change" : nil
        )
    }

    static let guesses: [CorpusCase] = {
        let known = [200, 203, 204, 404, 405, 410, 414, 501]
        let unknown = [201, 202, 403, 502, 503, 504, 599]
        let deltas = [5, 10, 30, 60, 300, 600, 1200, 1800, 3600, 43_200, 86_400]
        var cases = known.map { guess($0, true) }
        cases += unknown.map { guess($0, false) }
        cases.append(guess(599, true, [("Cache-Control", "public")]))
        return cases + deltas.map { guess(modified: $0) }
    }()
}
