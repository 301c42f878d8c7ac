import Testing

/// A way in which an HTTP/2 server leaves a response incomplete.
struct HTTP2Fault: Sendable, Hashable, CustomTestStringConvertible {
    enum Kind: Sendable, Hashable {
        /// RST_STREAM with this code.
        case reset(Int)
        /// GOAWAY with this code, then the connection is closed.
        case goAway(Int)
        /// GOAWAY that excludes the stream; the connection stays open.
        case disowned(Int)
        /// The connection is closed with TLS's closure alert.
        case close
        /// The connection is closed without an alert.
        case cut
    }

    enum Moment: String, Sendable, CaseIterable {
        case beforeHead = "before-head"
        case afterHead = "after-head"
        case midBody = "mid-body"
    }

    var kind: Kind
    var moment: Moment
    var hasLength: Bool
    var isCompressed: Bool
    /// Whether other streams are in flight on the same connection.
    var hasCompany: Bool

    var path: String {
        let how =
            switch kind {
            case .reset(let code): "/reset?code=\(code)"
            case .goAway(let code): "/goaway?code=\(code)"
            case .disowned(let code): "/goaway?keep=yes&last=0&code=\(code)"
            case .close: "/close?"
            case .cut: "/close?abrupt=yes"
            }
        return how + "&when=\(moment.rawValue)" + (hasLength ? "" : "&length=no")
            + (isCompressed ? "&coding=gzip" : "")
    }

    var endsConnection: Bool {
        if case .reset = kind { false } else { true }
    }

    var testDescription: String { path + (hasCompany ? " in company" : "") }

    /// All codes of RFC 9113 section 7, and an unknown one.
    private static let codes = Array(0...13) + [4711]

    private static let kinds: [Kind] =
        codes.map(Kind.reset) + [0, 1, 2, 11].map(Kind.goAway) + [0, 1].map(Kind.disowned)
        + [.close, .cut]

    /// The kinds that are also tried with a content coding.
    private static let decoded: Set<Kind> = [.reset(0), .reset(2), .goAway(0), .close]

    static let all: [HTTP2Fault] = kinds.flatMap { kind in
        Moment.allCases.flatMap { moment in
            [true, false].flatMap { hasLength in
                (decoded.contains(kind) ? [true, false] : [false]).flatMap { isCompressed in
                    [true, false].map { hasCompany in
                        HTTP2Fault(
                            kind: kind,
                            moment: moment,
                            hasLength: hasLength,
                            isCompressed: isCompressed,
                            hasCompany: hasCompany
                        )
                    }
                }
            }
        }
    }
}
