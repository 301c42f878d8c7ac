internal import CurlURLSession
internal import Foundation

/// The request of a job, in two forms. The plain one is what other origins get after a redirect.
struct PreparedRequest: Sendable {
    /// The full request.
    private(set) var whole: URLRequest
    /// The request without header fields that aren't stored or were added later.
    private(set) var plain: URLRequest

    /// - Parameters:
    ///   - whole: The request to send.
    ///   - fields: The header fields that are stored with the job.
    init(_ whole: URLRequest, fields: [String: String]) {
        self.whole = whole
        plain = whole
        let stored = Set(fields.map { Field(name: $0.key.lowercased(), value: $0.value) })
        for (name, value) in whole.allHTTPHeaderFields ?? [:]
        where !stored.contains(Field(name: name.lowercased(), value: value)) {
            plain.setValue(nil, forHTTPHeaderField: name)
        }
    }

    private struct Field: Hashable {
        let name: String
        let value: String
    }

    /// Whether some header fields are for the job's own origin only.
    var hasOwn: Bool { whole != plain }

    /// Changes both forms of the request.
    mutating func change(_ change: (inout URLRequest) -> Void) {
        change(&whole)
        change(&plain)
    }
}
