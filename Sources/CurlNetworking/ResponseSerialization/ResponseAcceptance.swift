public import CurlURLSession
public import Foundation

/// Which responses are acceptable, by status and media type.
public struct ResponseAcceptance: Sendable, Hashable, Codable {
    /// The acceptable status codes, 200 to 299 by default; `nil` for all.
    public var statusCodes: IndexSet?

    /// The acceptable media types, without parameters; `nil`, the default, for all.
    public var contentTypes: Set<String>?

    /// How the media type is compared with ``contentTypes``.
    ///
    /// `exact` by default, as in AFNetworking.
    public var contentTypeMatching = ContentTypeMatching.exact

    /// Creates a value; by default success of any type is acceptable.
    ///
    /// These are the defaults of AFNetworking's base class.
    public init(
        statusCodes: IndexSet? = IndexSet(integersIn: 200...299),
        contentTypes: Set<String>? = nil,
        contentTypeMatching: ContentTypeMatching = .exact
    ) {
        self.statusCodes = statusCodes
        self.contentTypes = contentTypes
        self.contentTypeMatching = contentTypeMatching
    }

    /// Accepts success, of the types in a request's `Accept` field.
    ///
    /// The types may be ranges (RFC 9110, 12.5.1). Without the field all types are acceptable.
    public init(for request: URLRequest) {
        let accept = request.value(forHTTPHeaderField: "Accept") ?? ""
        let types = accept.split(separator: ",").compactMap { item -> String? in
            let type = item.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
            // A type with `q=0` isn't acceptable.
            let isRefused = item.split(separator: ";").dropFirst().contains { parameter in
                let parts = parameter.split(separator: "=").map {
                    $0.trimmingCharacters(in: .whitespaces).lowercased()
                }
                return parts.count == 2 && parts[0] == "q" && Double(parts[1]) == 0
            }
            return type.isEmpty || isRefused ? nil : type
        }
        self.init(contentTypes: types.isEmpty ? nil : Set(types), contentTypeMatching: .patterns)
    }

    /// Whether a media type is acceptable.
    ///
    /// `nil` is a response without a media type.
    public func accepts(contentType: String?) -> Bool {
        guard let contentTypes else { return true }
        guard let contentType else {
            return contentTypeMatching == .patterns && contentTypes.contains("*/*")
        }
        switch contentTypeMatching {
        case .exact:
            return contentTypes.contains(contentType)
        case .patterns:
            guard let type = ContentTypePattern(contentType) else { return false }
            return contentTypes.contains { ContentTypePattern($0)?.matches(type) ?? false }
        }
    }

    /// Whether a status is acceptable.
    public func accepts(statusCode: Int) -> Bool {
        // `IndexSet` traps for negative numbers.
        statusCodes.map { statusCode >= 0 && $0.contains(statusCode) } ?? true
    }
}

/// How a response's media type is compared with the acceptable ones.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ContentTypeMatching: String, Sendable, Hashable, Codable {
    /// The types must be equal, including case, as in AFNetworking.
    case exact

    /// The acceptable types are patterns; case is ignored.
    ///
    /// `image/*` and `*/*` match several types. A type also matches types with its name as their
    /// suffix (RFC 6839): `application/json` matches `application/problem+json`.
    case patterns
}

/// A media type, or a range of them (RFC 9110, 12.5.1).
private struct ContentTypePattern: Hashable, Sendable {
    private let type: Substring
    private let subtype: Substring

    /// - Parameter text: A media type, such as `image/*`. Parameters, such as `q=0.8`, are ignored.
    ///   The result is `nil` if the text isn't a media type.
    init?(_ text: some StringProtocol) {
        let plain = text.lowercased().prefix { $0 != ";" }.filter { !$0.isWhitespace }
        let parts = plain.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
        (type, subtype) = (parts[0], parts[1])
    }

    /// Whether the pattern matches a media type.
    func matches(_ other: ContentTypePattern) -> Bool {
        guard type == "*" || type == other.type else { return false }
        if subtype == "*" || subtype == other.subtype { return true }
        guard type != "*" else { return false }
        // The subtype of `application/*+json` already contains the suffix.
        let suffix = subtype.hasPrefix("*+") ? subtype.dropFirst(1) : "+" + subtype
        return other.subtype.hasSuffix(suffix) && other.subtype.count > suffix.count
    }
}
