public import HTTPTypes

/// Whether a request may be sent again though the server may have acted on it.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum Idempotency: Sendable, Hashable {
    /// If its method is idempotent, or if it has an `Idempotency-Key` field.
    ///
    /// The methods are `GET`, `HEAD`, `PUT`, `DELETE`, `OPTIONS`, `TRACE` (RFC 9110, section
    /// 9.2.2), `QUERY`, and of WebDAV `COPY`, `MKCOL`, `MOVE`, `PROPFIND`, `PROPPATCH`, `REPORT`,
    /// `SEARCH` and `UNLOCK`.
    case byMethod

    /// Always: a repetition does no harm.
    case yes

    /// Never, whatever its method is.
    case no

    /// Whether `request` may be sent again.
    public func allowsRepeating(_ request: HTTPRequest) -> Bool {
        switch self {
        case .byMethod: request.isIdempotent
        case .yes: true
        case .no: false
        }
    }
}

extension HTTPRequest {
    /// Whether the request may be repeated though the server may have acted on it.
    ///
    /// True for idempotent methods (RFC 9110, section 9.2.2), and with an `Idempotency-Key`, which
    /// lets the server recognise a repetition.
    package var isIdempotent: Bool {
        method.isIdempotent
            || headerFields.contains { $0.name.canonicalName == "idempotency-key" }
    }
}

extension HTTPRequest.Method {
    /// Whether several requests have the effect of one.
    ///
    /// Source: RFC 9110, section 9.2.2, and the registry of HTTP methods.
    package var isIdempotent: Bool {
        switch rawValue {
        case "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "QUERY", "COPY", "MKCOL", "MOVE",
            "PROPFIND", "PROPPATCH", "REPORT", "SEARCH", "UNLOCK":
            true
        default: false
        }
    }
}
