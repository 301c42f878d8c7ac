/// Cases for updates of stored response fields and for conditional requests.
extension Corpus {
    private typealias Exchange = CorpusCase.Exchange
    private typealias Fields = CorpusCase.Fields

    /// A field with an older and a newer value.
    private struct Field {
        var name: String
        var old: String
        var new: String
        var kind: CorpusCase.Kind
        var isStored: Bool
        /// Whether a 304 response updates the field, according to the collection.
        var isUpdated: Bool
        /// Whether a 304 response updates the field in this cache, if that differs.
        var difference: String?

        init(
            _ name: String,
            _ old: String? = nil,
            _ new: String? = nil,
            kind: CorpusCase.Kind = .check,
            isStored: Bool = true,
            isUpdated: Bool = true,
            differs difference: String? = nil
        ) {
            self.name = name
            self.old = old ?? "\(name)-value-A"
            self.new = new ?? "\(name)-value-B"
            self.kind = kind
            self.isStored = isStored
            self.isUpdated = isUpdated
            self.difference = difference
        }
    }

    private static let ofTheBody = "it describes the body as it came, which stays"

    private static let fields: [Field] = [
        Field("Test-Header", kind: .required), Field("X-Test-Header", kind: .required),
        Field("Content-Foo", kind: .required), Field("X-Content-Foo", kind: .required),
        Field("Cache-Control", "max-age=1", "max-age=3600", kind: .required),
        Field("Connection", isStored: false),
        Field("Content-Encoding", differs: ofTheBody),
        Field("Content-Length", "5", "10", kind: .required, isUpdated: false),
        Field("Content-Location", "/foo", "/bar"),
        Field("Content-MD5", "rL0Y20zC+Fzt72VPzMSk2A==", "N7UdGUp1E+RbVvZSTy1R8g=="),
        Field("Content-Range", differs: ofTheBody),
        Field(
            "Content-Security-Policy",
            "default-src 'self'",
            "default-src 'self' cdn.example.com"
        ),
        Field("Content-Type", "text/plain", "text/plain;charset=utf-8"),
        Field("Clear-Site-Data", "cache", "cookies"),
        Field(
            "ETag",
            "\"abcdef\"",
            "\"ghijkl\"",
            differs: "a 304 with another entity tag is about something else (RFC 9111, 4.3.4)"
        ),
        Field("Expires", "Fri, 01 Jan 2038 01:01:01 GMT", "Mon, 11 Jan 2038 11:11:11 GMT"),
        Field("Keep-Alive", isStored: false), Field("Proxy-Authenticate", isStored: false),
        Field("Proxy-Authentication-Info", isStored: false),
        Field("Proxy-Authorization", isStored: false),
        Field("Proxy-Connection", isStored: false), Field("Public-Key-Pins"),
        Field("Set-Cookie", "a=b", "a=c"), Field("Set-Cookie2", "a=b", "a=c"),
        Field("TE", isStored: false), Field("Transfer-Encoding", isStored: false),
        Field("Upgrade", isStored: false), Field("X-Frame-Options", "deny", "sameorigin"),
        Field("X-XSS-Protection", "1", "1; mode=block"),
    ]

    private static func update(of field: Field) -> CorpusCase {
        let expected = field.isUpdated ? field.new : field.old
        func answer(_ value: String) -> Fields {
            var fields: Fields = [("Date", "@0"), (field.name, value)]
            if field.name != "Cache-Control" { fields.append(("Cache-Control", "max-age=2")) }
            if field.name != "ETag" { fields.append(("ETag", "\"\(field.name)-etag-1\"")) }
            return fields
        }
        return CorpusCase(
            "304-etag-update-response-" + field.name,
            field.kind,
            differs: field.difference,
            Exchange(fields: answer(field.old), pauses: true),
            Exchange(
                fields: answer(field.new),
                expects: .etagValidated,
                expectedFields: [(field.name, expected)]
            ),
            Exchange(expects: .cached, expectedFields: [(field.name, expected)])
        )
    }

    private static let unchanged = "Wed, 01 Jan 2020 00:00:00 GMT"

    static let updates: [CorpusCase] =
        [
            CorpusCase(
                "304-lm-use-stored-Test-Header",
                .required,
                Exchange(
                    fields: [
                        ("Cache-Control", "max-age=2"), ("Last-Modified", unchanged),
                        ("Date", "@0"), ("Test-Header", "A"),
                    ],
                    pauses: true
                ),
                Exchange(
                    fields: [("Last-Modified", unchanged), ("Date", "@0")],
                    expects: .lmValidated,
                    expectedFields: [("Test-Header", "A")]
                )
            )
        ] + fields.filter(\.isStored).map { update(of: $0) }

    private static func storing(_ field: Field) -> CorpusCase {
        let lifetime: Fields = [("Cache-Control", "max-age=3600")]
        return CorpusCase(
            "headers-store-" + field.name,
            .required,
            Exchange(
                fields: [("Date", "@0"), (field.name, field.new)]
                    + (field.name == "Cache-Control" ? [] : lifetime),
                pauses: true
            ),
            Exchange(
                expects: .cached,
                expectedFields: [(field.name, field.isStored ? field.new : "!")]
            )
        )
    }

    static let headers: [CorpusCase] =
        [
            CorpusCase(
                "headers-omit-headers-listed-in-Connection",
                .required,
                Exchange(
                    fields: fresh + [("Connection", "a, b"), ("a", "1"), ("b", "2"), ("c", "3")]
                ),
                Exchange(expects: .cached, expectedFields: [("c", "3"), ("a", "!"), ("b", "!")])
            )
        ] + fields.map { storing($0) }

    private static func asked(
        _ name: String,
        _ kind: CorpusCase.Kind,
        _ tag: String,
        _ sent: String,
        differs: String? = nil
    ) -> CorpusCase {
        CorpusCase(
            "conditional-etag-" + name,
            kind,
            differs: differs,
            Exchange(fields: [("Cache-Control", "max-age=2"), ("ETag", tag)], pauses: true),
            Exchange(expects: .etagValidated, expectedInRequest: [("If-None-Match", sent)])
        )
    }

    private static let verbatim = "what the origin or the program said is repeated to the letter"

    static let conditions: [CorpusCase] = [
        CorpusCase(
            "conditional-etag-vary-headers",
            .required,
            Exchange(
                sends: [("Abc", "123")],
                fields: [
                    ("Expires", "@1"), ("ETag", "\"abcdef\""), ("Date", "@0"), ("Vary", "Abc"),
                ],
                pauses: true
            ),
            Exchange(
                sends: [("Abc", "123")],
                expects: .etagValidated,
                expectedInRequest: [("Abc", "123")]
            )
        ),
        CorpusCase(
            "conditional-etag-vary-headers-mismatch",
            .check,
            differs: "the origin isn't asked about other variants",
            Exchange(
                sends: [("Abc", "123")],
                fields: [
                    ("Expires", "@10000"), ("ETag", "\"abcdef\""), ("Date", "@0"),
                    ("Vary", "Abc"),
                ],
                pauses: true
            ),
            Exchange(
                sends: [("Abc", "456")],
                expectedInRequest: [("If-None-Match", "\"abcdef\"")]
            )
        ),
        asked("strong-generate", .optimal, "\"abcdef\"", "\"abcdef\""),
        asked("weak-generate-weak", .optimal, "W/\"abcdef\"", "W/\"abcdef\""),
        asked("strong-generate-unquoted", .check, "abcdef", "\"abcdef\"", differs: verbatim),
        CorpusCase(
            "conditional-etag-forward",
            .check,
            Exchange(
                sends: [("If-None-Match", "\"abcdef\"")],
                expectedInRequest: [("If-None-Match", "\"abcdef\"")]
            )
        ),
        CorpusCase(
            "conditional-etag-forward-unquoted",
            .check,
            differs: verbatim,
            Exchange(
                sends: [("If-None-Match", "abcdef")],
                expectedInRequest: [("If-None-Match", "\"abcdef\"")]
            )
        ),
    ]

    private static let expiring: Fields = [
        ("Cache-Control", "max-age=2"), ("Template-A", "1"),
    ]

    private static func head(
        _ name: String,
        _ exchange: Exchange,
        then: Fields? = nil,
        differs: String? = nil
    ) -> CorpusCase {
        let first = Exchange(fields: expiring, pauses: true)
        let id = "head-" + name
        guard let then else { return CorpusCase(id, .check, differs: differs, first, exchange) }
        return CorpusCase(
            id,
            .check,
            differs: differs,
            first,
            exchange,
            Exchange(expects: .cached, expectedFields: then)
        )
    }

    private static let longer: Fields = [("Cache-Control", "max-age=1000")]

    static let heads: [CorpusCase] = [
        head("writethrough", Exchange(method: "HEAD", expects: .notCached)),
        head(
            "200-retain",
            Exchange(method: "HEAD", expectedFields: [("Template-A", "1")]),
            differs: "the program gets the origin's answer as it is"
        ),
        head("200-freshness-update", Exchange(method: "HEAD", fields: longer), then: []),
        head(
            "200-update",
            Exchange(method: "HEAD", fields: longer + [("Template-A", "2")]),
            then: [("Template-A", "2")]
        ),
        head(
            "410-update",
            Exchange(method: "HEAD", status: 410, fields: longer + [("Template-A", "2")]),
            then: [("Template-A", "2")],
            differs: "what has another status by now isn't used any more"
        ),
    ]

    static let others: [CorpusCase] = [
        CorpusCase(
            "other-age-gen",
            .required,
            Exchange(fields: fresh, pauses: true),
            Exchange(expects: .cached, expectedFields: [("Age", ">2")])
        ),
        CorpusCase(
            "other-age-update-expires",
            .required,
            Exchange(fields: month + [("Age", "30")], pauses: true),
            Exchange(expects: .cached, expectedFields: [("Age", ">32")])
        ),
        CorpusCase(
            "other-age-update-max-age",
            .required,
            Exchange(fields: longer + [("Age", "30")], pauses: true),
            Exchange(expects: .cached, expectedFields: [("Age", ">32")])
        ),
        CorpusCase(
            "other-date-update",
            .required,
            Exchange(fields: fresh, pauses: true),
            Exchange(expects: .cached, expectedFields: [("Date", "@-3")])
        ),
        CorpusCase(
            "other-date-update-expires",
            .required,
            Exchange(fields: month, pauses: true),
            Exchange(expects: .cached, expectedFields: [("Date", "@-3")])
        ),
        CorpusCase(
            "other-date-update-expires-update",
            .check,
            Exchange(fields: month, pauses: true),
            Exchange(expects: .cached, expectedFields: [("Expires", "@2591997")])
        ),
        CorpusCase(
            "query-args-different",
            .required,
            Exchange(path: "?test=1", fields: fresh),
            Exchange(path: "?test=2", expects: .notCached)
        ),
        CorpusCase(
            "query-args-same",
            .optimal,
            Exchange(path: "?test=1", fields: fresh),
            Exchange(path: "?test=1", expects: .cached)
        ),
        .reuse(
            "other-heuristic-content-disposition-attachment",
            .check,
            [("Last-Modified", "@-100000"), ("Date", "@0")] + attachment,
            .cached
        ),
        .reuse("other-fresh-content-disposition-attachment", .check, fresh + attachment, .cached),
        .reuse("other-set-cookie", .optimal, fresh + [("Set-Cookie", "a=b")], .cached),
        .reuse("other-cookie", .optimal, fresh, .cached, again: [("Cookie", "a=b")]),
    ]

    private static let month: Fields = [("Expires", "@2592000"), ("Date", "@0")]
    private static let attachment: Fields = [
        ("Content-Disposition", "attachment; filename=example.txt")
    ]
}
