/// The public HTTP cache tests that concern a private cache in a program.
enum Corpus {
    struct Group: Sendable {
        let name: String
        let cases: [CorpusCase]
    }

    /// The cases, grouped by the collection's suites.
    static let groups: [Group] = [
        Group(name: "cc-freshness", cases: freshness),
        Group(name: "cc-parse", cases: directives),
        Group(name: "age-parse", cases: ages),
        Group(name: "expires", cases: expiry),
        Group(name: "expires-parse", cases: expiryDates),
        Group(name: "heuristic", cases: guesses),
        Group(name: "cc-request", cases: requests),
        Group(name: "cc-response", cases: responses),
        Group(name: "pragma", cases: pragma),
        Group(name: "status", cases: statuses),
        Group(name: "vary", cases: variants),
        Group(name: "vary-parse", cases: variantNames),
        Group(name: "conditional", cases: conditions),
        Group(name: "update304", cases: updates),
        Group(name: "headers", cases: headers),
        Group(name: "update-head", cases: heads),
        Group(name: "stale", cases: stale),
        Group(name: "cc-stale", cases: errors),
        Group(name: "invalidation", cases: invalidations),
        Group(name: "method", cases: methods),
        Group(name: "partial", cases: parts),
        Group(name: "other", cases: others),
    ]

    /// The collection's cases that are left out, and why.
    static let leftOut: [(name: String, reason: String)] = [
        ("cases for shared caches", "a cache belongs to one program"),
        (
            "conditional-etag-*-respond*, conditional-304-etag, conditional-lm-*",
            "not for browsers' caches, as the collection says: who asks under conditions of his own "
                + "is answered by the origin"
        ),
        ("other-age-delay", "what comes from the origin is handed out as it came"),
        ("interim-*", "interim responses don't come to the cache"),
        ("cdn-cache-control, surrogate-control", "for caches of origins"),
    ]

    private typealias Exchange = CorpusCase.Exchange

    private static func failure(
        _ name: String,
        _ kind: CorpusCase.Kind,
        _ directives: String,
        _ exchange: Exchange,
        differs: String? = nil
    ) -> CorpusCase {
        CorpusCase(
            "stale-" + name,
            kind,
            differs: differs,
            Exchange(fields: [("Cache-Control", directives)], pauses: true),
            exchange
        )
    }

    private static let lost = Exchange(disconnects: true, expects: .cached)
    private static let nothing = Exchange(disconnects: true, expects: .failed)
    private static let unasked = "an error shows, unless stale-if-error allows something else"
    private static let obsolete = "Warning is obsolete (RFC 9111, 5.5), and an error shows"

    private static let stale: [CorpusCase] = [
        failure("close", .check, "max-age=2", lost, differs: unasked),
        failure(
            "503",
            .check,
            "max-age=2",
            Exchange(status: 503, expects: .cached, expectedStatus: 200),
            differs: unasked
        ),
        CorpusCase(
            "stale-while-revalidate",
            .optimal,
            Exchange(
                fields: [
                    ("Cache-Control", "max-age=1, stale-while-revalidate=3600"),
                    ("ETag", "\"abc\""),
                ],
                pauses: true
            ),
            Exchange(expects: .cached)
        ),
        CorpusCase(
            "stale-while-revalidate-window",
            .required,
            Exchange(
                fields: [
                    ("Cache-Control", "max-age=1, stale-while-revalidate=4"), ("ETag", "\"abc\""),
                ],
                pauses: true
            ),
            Exchange(
                fields: [("Cache-Control", "no-cache"), ("ETag", "\"def\"")],
                pauses: true,
                expects: .cached
            ),
            Exchange(expects: .notCached)
        ),
        failure("sie-close", .check, "max-age=2, stale-if-error=60", lost),
        failure("sie-503", .check, "max-age=2, stale-if-error=60", lost),
        failure("close-must-revalidate", .required, "max-age=2, must-revalidate", nothing),
        failure("close-no-cache", .required, "max-age=2, no-cache", nothing),
        failure("warning-stored", .check, "max-age=0", lost, differs: obsolete),
        failure("warning-become", .check, "max-age=2", lost, differs: obsolete),
    ]

    private static func error(
        _ name: String,
        _ kind: CorpusCase.Kind,
        _ directives: String,
        _ request: CorpusCase.Fields = [],
        isServed: Bool
    ) -> CorpusCase {
        CorpusCase(
            "stale-if-error-cc-" + name,
            kind,
            Exchange(fields: [("Cache-Control", directives)], pauses: !isServed),
            Exchange(
                sends: request,
                status: 500,
                expects: isServed ? .cached : .notCached,
                expectedStatus: isServed ? 200 : 500
            )
        )
    }

    private static let errors: [CorpusCase] = [
        CorpusCase(
            "stale-while-revalidate (renewed)",
            .optimal,
            Exchange(
                fields: [
                    ("Cache-Control", "max-age=0, stale-while-revalidate=3600"),
                    ("ETag", "\"abc\""),
                ]
            ),
            Exchange(
                fields: [("Cache-Control", "max-age=3600"), ("ETag", "\"def\"")],
                pauses: true,
                expects: .cached,
                expectedFields: [("ETag", "\"abc\"")]
            ),
            Exchange(expects: .cached, expectedFields: [("ETag", "\"def\"")])
        ),
        error("response", .check, "max-age=0, stale-if-error=3600", isServed: true),
        error("response-expired", .required, "max-age=0, stale-if-error=1", isServed: false),
        error(
            "request",
            .check,
            "max-age=0",
            [("Cache-Control", "stale-if-error=3600")],
            isServed: true
        ),
        error(
            "request-expired",
            .required,
            "max-age=0",
            [("Cache-Control", "stale-if-error=1")],
            isServed: false
        ),
    ]
}
