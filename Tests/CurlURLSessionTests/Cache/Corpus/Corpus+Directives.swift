import Foundation

@testable import CurlURLSession

/// Cases for cache directives of requests and responses.
extension Corpus {
    private typealias Exchange = CorpusCase.Exchange

    static let fresh: CorpusCase.Fields = [
        ("Expires", "@100000"), ("Last-Modified", "@0"), ("Date", "@0"),
    ]
    private static let hour: CorpusCase.Fields = [("Cache-Control", "max-age=3600")]

    private static func request(
        _ name: String,
        _ directives: String,
        stored fields: CorpusCase.Fields = hour,
        pauses: Bool = false,
        expects: CorpusCase.Expectation
    ) -> CorpusCase {
        .reuse(
            "ccreq-" + name,
            .check,
            fields,
            expects,
            pauses: pauses,
            again: [("Cache-Control", directives)]
        )
    }

    static let requests: [CorpusCase] = [
        request("ma0", "max-age=0", stored: fresh, pauses: true, expects: .notCached),
        request("ma1", "max-age=1", stored: fresh, pauses: true, expects: .notCached),
        request(
            "magreaterage",
            "max-age=600",
            stored: hour + [("Age", "1800")],
            expects: .notCached
        ),
        request(
            "max-stale",
            "max-stale=1000",
            stored: [("Cache-Control", "max-age=1")],
            pauses: true,
            expects: .cached
        ),
        request(
            "max-stale-age",
            "max-stale=1000",
            stored: [("Cache-Control", "max-age=1500"), ("Age", "2000")],
            expects: .cached
        ),
        request(
            "min-fresh",
            "min-fresh=2000",
            stored: [("Cache-Control", "max-age=1500")],
            expects: .notCached
        ),
        request(
            "min-fresh-age",
            "min-fresh=1000",
            stored: [("Cache-Control", "max-age=1500"), ("Age", "1000")],
            expects: .notCached
        ),
        request("no-cache", "no-cache", expects: .notCached),
        request(
            "no-cache-lm",
            "no-cache",
            stored: hour + [("Last-Modified", "@-10000"), ("Date", "@0")],
            expects: .lmValidated
        ),
        request(
            "no-cache-etag",
            "no-cache",
            stored: hour + [("ETag", "abc")],
            expects: .etagValidated
        ),
        request("no-store", "no-store", expects: .notCached),
        CorpusCase(
            "ccreq-oic",
            .check,
            Exchange(sends: [("Cache-Control", "only-if-cached")], expectedStatus: 504)
        ),
    ]

    private static let expiring: CorpusCase.Fields = [("Expires", "@10000"), ("Date", "@0")]

    private static func response(
        _ name: String,
        _ kind: CorpusCase.Kind,
        _ directives: String,
        _ more: CorpusCase.Fields = [],
        expects: CorpusCase.Expectation
    ) -> CorpusCase {
        .reuse(
            "cc-resp-" + name,
            kind,
            [("Cache-Control", directives)] + more,
            expects,
            pauses: false
        )
    }

    private static func older(_ name: String, _ directives: String) -> CorpusCase {
        CorpusCase(
            "cc-resp-no-store-" + name,
            .check,
            Exchange(
                fields: [("Cache-Control", "max-age=10000"), ("A", "1")] + expiring,
                pauses: true
            ),
            Exchange(
                fields: [("Cache-Control", directives), ("Date", "@0"), ("A", "2")],
                pauses: true
            ),
            Exchange(expects: .cached, expectedFields: [("a", "1")])
        )
    }

    private static func named(
        _ name: String,
        _ directive: String,
        _ fields: CorpusCase.Fields,
        expects: CorpusCase.Fields
    ) -> CorpusCase {
        CorpusCase(
            "headers-omit-headers-listed-in-Cache-Control-no-cache" + name,
            .check,
            Exchange(
                fields: [("Cache-Control", directive)] + fields + hour + [("Date", "@0")],
                pauses: true
            ),
            Exchange(expects: .cached, expectedFields: expects)
        )
    }

    private static func immutable(_ lifetime: Int) -> CorpusCase.Fields {
        [("Cache-Control", "max-age=\(lifetime), immutable"), ("ETag", "\"abcd\"")]
    }

    static let responses: [CorpusCase] = [
        response("private-private", .optimal, "private, max-age=3600", expects: .cached),
        response("no-store", .required, "no-store", expects: .notCached),
        response("no-store-case-insensitive", .required, "No-StOrE", expects: .notCached),
        response(
            "no-store-fresh",
            .required,
            "max-age=10000, no-store",
            expiring,
            expects: .notCached
        ),
        older("old-new", "no-store"),
        older("old-max-age", "no-store, max-age=0"),
        response("no-cache", .required, "max-age=10000, no-cache", expiring, expects: .notCached),
        response(
            "no-cache-case-insensitive",
            .required,
            "max-age=10000, No-CaChE",
            expiring,
            expects: .notCached
        ),
        response(
            "no-cache-revalidate",
            .optimal,
            "no-cache",
            [("ETag", "\"abcd\"")],
            expects: .etagValidated
        ),
        response(
            "no-cache-revalidate-fresh",
            .optimal,
            "max-age=10000, no-cache",
            expiring + [("ETag", "\"abcd\"")],
            expects: .etagValidated
        ),
        named(
            "-single",
            "no-cache=\"a\"",
            [("a", "1"), ("b", "2")],
            expects: [("b", "2"), ("a", "!")]
        ),
        named(
            "",
            "no-cache=\"a, b\"",
            [("a", "1"), ("b", "2"), ("c", "3")],
            expects: [("c", "3"), ("a", "!"), ("b", "!")]
        ),
        response(
            "must-revalidate-fresh",
            .optimal,
            "max-age=10000, must-revalidate",
            [("ETag", "\"abcd\"")],
            expects: .cached
        ),
        CorpusCase(
            "cc-resp-must-revalidate-stale",
            .required,
            Exchange(
                fields: [("Cache-Control", "max-age=2, must-revalidate"), ("ETag", "\"abcd\"")]
            ),
            Exchange(pauses: true, expects: .cached),
            Exchange(expects: .etagValidated)
        ),
        CorpusCase(
            "cc-resp-immutable-fresh",
            .optimal,
            Exchange(fields: immutable(10_000), pauses: true),
            Exchange(policy: .reloadRevalidatingCacheData, expects: .cached)
        ),
        CorpusCase(
            "cc-resp-immutable-stale",
            .required,
            Exchange(fields: immutable(2), pauses: true),
            Exchange(
                policy: .reloadRevalidatingCacheData,
                expects: .etagValidated,
                expectedInRequest: [("Cache-Control", "max-age=0")]
            )
        ),
    ]

    private static let deprecated = "it is heeded where there is no Cache-Control"

    static let pragma: [CorpusCase] = [
        .reuse(
            "pragma-request-no-cache",
            .check,
            hour,
            .cached,
            pauses: false,
            again: [("Pragma", "no-cache")],
            differs: deprecated
        ),
        .reuse(
            "pragma-request-extension",
            .check,
            hour,
            .cached,
            pauses: false,
            again: [("Pragma", "unrecognised-extension")]
        ),
        .reuse(
            "pragma-response-no-cache",
            .check,
            hour + [("Pragma", "no-cache")],
            .cached,
            pauses: false
        ),
        .reuse(
            "pragma-response-no-cache-heuristic",
            .check,
            [("Date", "@0"), ("Last-Modified", "@-10000"), ("Pragma", "no-cache")],
            .cached,
            pauses: false
        ),
        .reuse(
            "pragma-response-extension",
            .check,
            hour + [("Pragma", "unrecognised-extension")],
            .cached,
            pauses: false
        ),
    ]
}
