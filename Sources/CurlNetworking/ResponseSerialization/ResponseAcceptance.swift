public import CurlURLSession
public import Foundation

/// Which responses are acceptable: by their status, and by the media type of their body.
public struct ResponseAcceptance: Sendable, Hashable, Codable {
    /// The acceptable status codes, 200 to 299 by default. `nil` for all.
    public var statusCodes: IndexSet?

    /// The acceptable media types, without parameters. `nil`, the default, for all.
    public var contentTypes: Set<String>?

    /// How the media type is compared with ``contentTypes``; by default as AFNetworking does.
    public var contentTypeMatching = ContentTypeMatching.exact

    /// What is acceptable to AFNetworking's base class: success, of any type.
    public init(
        statusCodes: IndexSet? = IndexSet(integersIn: 200...299),
        contentTypes: Set<String>? = nil,
        contentTypeMatching: ContentTypeMatching = .exact
    ) {
        self.statusCodes = statusCodes
        self.contentTypes = contentTypes
        self.contentTypeMatching = contentTypeMatching
    }

    /// Success, of the types that a request asks for in its `Accept` field, which may be ranges
    /// (RFC 9110, 12.5.1). A request without one accepts all types.
    public init(for request: URLRequest) {
        let accept = request.value(forHTTPHeaderField: "Accept") ?? ""
        let types = accept.split(separator: ",").compactMap { item -> String? in
            let type = item.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
            // `q=0` is a type that isn't wanted.
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

    /// Whether a media type is acceptable. `nil` stands for a response that names none.
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
        // Sets of indexes have none below 0, and take them for an error of the program.
        statusCodes.map { statusCode >= 0 && $0.contains(statusCode) } ?? true
    }
}
