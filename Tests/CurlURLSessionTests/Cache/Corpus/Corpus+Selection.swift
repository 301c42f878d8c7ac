/// Cases for which stored response answers a request, and what invalidates it.
extension Corpus {
    private typealias Exchange = CorpusCase.Exchange
    private typealias Fields = CorpusCase.Fields

    private static func status(_ status: Int) -> [CorpusCase] {
        [
            .reuse("status-\(status)-fresh", .optimal, fresh, .cached, status: status),
            .reuse(
                "status-\(status)-stale",
                .required,
                [("Expires", "@-5000"), ("Last-Modified", "@-100000"), ("Date", "@0")],
                .notCached,
                status: status,
                pauses: false
            ),
        ]
    }

    static let statuses: [CorpusCase] = {
        let codes = [
            200, 203, 204, 299, 301, 302, 303, 307, 308, 400, 404, 410, 499, 500, 502, 503, 504,
            599,
        ]
        let fields = [("Cache-Control", "max-age=3600, no-store, must-understand")]
        return codes.flatMap { status($0) } + [
            .reuse(
                "status-599-must-understand",
                .required,
                fields,
                .notCached,
                status: 599,
                pauses: false
            ),
            .reuse("status-200-must-understand", .optimal, fields, .cached, pauses: false),
        ]
    }()

    /// A response to a request with some fields, then a request with other fields.
    private static func variant(
        _ name: String,
        _ kind: CorpusCase.Kind,
        _ vary: String...,
        first: Fields,
        then: Fields,
        more: Fields = [],
        expects: CorpusCase.Expectation,
        differs: String? = nil
    ) -> CorpusCase {
        CorpusCase(
            "vary-" + name,
            kind,
            differs: differs,
            Exchange(sends: first, fields: varying + vary.map { ("Vary", $0) } + more),
            Exchange(sends: then, expects: expects)
        )
    }

    private static let varying: Fields = [
        ("Cache-Control", "max-age=5000"), ("Last-Modified", "@-3000"), ("Date", "@0"),
    ]
    private static let one: Fields = [("Foo", "1")]
    private static let two: Fields = [("Foo", "1"), ("Bar", "abc")]
    private static let three: Fields = [("Foo", "1"), ("Bar", "abc"), ("Baz", "789")]
    private static let outer: Fields = [("Foo", "1"), ("Baz", "789")]

    private static func language(
        _ name: String,
        _ value: String,
        more: Fields = [],
        differs: String? = nil
    ) -> CorpusCase {
        variant(
            "normalise-lang-" + name,
            .optimal,
            "Accept-Language",
            first: [("Accept-Language", "en, de")],
            then: [("Accept-Language", value)],
            more: more,
            expects: .cached,
            differs: differs
        )
    }

    static let variants: [CorpusCase] = [
        variant("match", .optimal, "Foo", first: one, then: one, expects: .cached),
        variant(
            "no-match",
            .required,
            "Foo",
            first: one,
            then: [("Foo", "2")],
            expects: .notCached
        ),
        variant("omit-stored", .required, "Foo", first: [], then: one, expects: .notCached),
        variant("omit", .required, "Foo", first: one, then: [], expects: .notCached),
        CorpusCase(
            "vary-invalidate",
            .optimal,
            Exchange(sends: one, fields: varying + [("Vary", "Foo")], body: "foo_1"),
            Exchange(
                sends: [("Foo", "2")],
                fields: varying + [("Vary", "Foo")],
                body: "foo_2",
                expects: .notCached
            ),
            Exchange(sends: one, body: "foo_1", expects: .cached)
        ),
        variant(
            "cache-key",
            .optimal,
            "Foo",
            first: one + [("Other", "2")],
            then: one + [("Other", "3")],
            expects: .cached
        ),
        variant("2-match", .optimal, "Foo, Bar", first: two, then: two, expects: .cached),
        variant(
            "2-no-match",
            .required,
            "Foo, Bar",
            first: two,
            then: [("Foo", "2"), ("Bar", "abc")],
            expects: .notCached
        ),
        variant("2-match-omit", .required, "Foo, Bar", first: two, then: [], expects: .notCached),
        variant("3-match", .optimal, "Foo, Bar, Baz", first: three, then: three, expects: .cached),
        variant(
            "3-no-match",
            .required,
            "Foo, Bar, Baz",
            first: three,
            then: [("Foo", "2"), ("Bar", "abc"), ("Baz", "789")],
            expects: .notCached
        ),
        variant(
            "3-order",
            .required,
            "Foo, Bar, Baz",
            first: three,
            then: [("Foo", "1"), ("Baz", "789"), ("Bar", "abcde")],
            expects: .notCached
        ),
        variant("3-omit", .optimal, "Foo, Bar, Baz", first: outer, then: outer, expects: .cached),
        variant("star", .required, "*", first: outer, then: outer, expects: .notCached),
        variant(
            "normalise-combine",
            .optimal,
            "Foo",
            first: [("Foo", "1, 2")],
            then: [("Foo", "1"), ("Foo", "2")],
            expects: .cached
        ),
        language("order", "de, en", differs: "the order of languages counts"),
        language("case", "eN, De"),
        language("space", " en ,   de"),
        language(
            "select",
            "fr;q=0.5, de;q=1.0",
            more: [("Content-Language", "de")],
            differs: "the origin chooses languages"
        ),
        variant(
            "normalise-space",
            .optimal,
            "Foo",
            first: [("Foo", "1,2")],
            then: [("Foo", " 1, 2 ")],
            expects: .cached
        ),
    ]

    static let variantNames: [CorpusCase] = [
        variant("syntax-star", .required, "*", first: outer, then: outer, expects: .notCached),
        variant(
            "syntax-star-star",
            .required,
            "*, *",
            first: outer,
            then: outer,
            expects: .notCached
        ),
        variant(
            "syntax-star-star-lines",
            .required,
            "*",
            "*",
            first: outer,
            then: outer,
            expects: .notCached
        ),
        variant(
            "syntax-empty-star",
            .required,
            ", *",
            first: outer,
            then: outer,
            expects: .notCached
        ),
        variant(
            "syntax-empty-star-lines",
            .required,
            "",
            "*",
            first: outer,
            then: outer,
            expects: .notCached
        ),
        variant(
            "syntax-star-foo",
            .required,
            "*, Foo",
            first: outer,
            then: outer,
            expects: .notCached
        ),
        variant(
            "syntax-foo-star",
            .required,
            "Foo, *",
            first: outer,
            then: outer,
            expects: .notCached
        ),
    ]

    private static func invalidation(by method: String) -> [CorpusCase] {
        [
            CorpusCase(
                "invalidate-\(method)",
                .required,
                Exchange(fields: fresh),
                Exchange(method: method),
                Exchange(expects: .notCached)
            ),
            CorpusCase(
                "invalidate-\(method)-failed",
                .optimal,
                Exchange(fields: fresh),
                Exchange(method: method, status: 500),
                Exchange(expects: .cached)
            ),
            naming("location", "/location_target", by: method),
            naming("cl", "/content_location_target", by: method),
        ]
    }

    private static func naming(_ name: String, _ path: String, by method: String) -> CorpusCase {
        CorpusCase(
            "invalidate-\(method)-\(name)",
            .check,
            Exchange(path: path, fields: [("Cache-Control", "max-age=100000"), ("Date", "@0")]),
            Exchange(
                method: method,
                fields: [
                    ("Location", "^/location_target"),
                    ("Content-Location", "^/content_location_target"),
                ]
            ),
            Exchange(path: path, expects: .notCached)
        )
    }

    static let invalidations: [CorpusCase] =
        ["POST", "PUT", "DELETE", "M-SEARCH"].flatMap { invalidation(by: $0) }

    static let methods: [CorpusCase] = [
        CorpusCase(
            "method-POST",
            .optimal,
            differs: "only what a GET brings is stored",
            Exchange(
                method: "POST",
                sends: [("Content-Type", "text/plain")],
                fields: [("Expires", "@2592000"), ("Content-Location", "^"), ("Date", "@0")],
                pauses: true
            ),
            Exchange(expects: .cached)
        )
    ]

    private static func partial(
        _ name: String,
        _ first: Exchange,
        _ then: Exchange,
        kind: CorpusCase.Kind = .optimal
    ) -> CorpusCase {
        CorpusCase(
            "partial-" + name,
            kind,
            differs: "who asks for a part is answered by the origin",
            first,
            then
        )
    }

    private static let whole = Exchange(
        fields: [("Cache-Control", "max-age=3600"), ("A", "1")],
        body: "01234567890"
    )
    private static let part = Exchange(
        sends: [("Range", "bytes=-5")],
        status: 206,
        fields: [("Cache-Control", "max-age=3600"), ("Content-Range", "bytes 4-9/10")],
        body: "01234"
    )

    private static func reused(_ range: String, _ body: String) -> Exchange {
        Exchange(sends: [("Range", range)], status: 206, body: body, expects: .cached)
    }

    static let parts: [CorpusCase] = [
        partial("store-partial-reuse-partial", part, reused("bytes=-5", "01234")),
        partial("store-complete-reuse-partial", whole, reused("bytes=0-1", "01")),
        partial("store-complete-reuse-partial-no-last", whole, reused("bytes=1-", "1234567890")),
        partial("store-complete-reuse-partial-suffix", whole, reused("bytes=-1", "0")),
        partial("store-partial-reuse-partial-byterange", part, reused("bytes=6-8", "234")),
        partial("store-partial-reuse-partial-absent", part, reused("bytes=6-", "234")),
        partial("store-partial-reuse-partial-suffix", part, reused("bytes=-1", "4")),
        partial(
            "store-partial-complete",
            part,
            Exchange(expectedInRequest: [("Range", "bytes=5-")])
        ),
        partial("use-headers", whole, reused("bytes=0-1", "01"), kind: .required),
        partial("use-stored-headers", whole, reused("bytes=0-1", "01"), kind: .required),
    ]
}
