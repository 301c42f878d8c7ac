internal import CurlURLSession
internal import Foundation

/// What is sent for a job, and what of that every server may see to which redirects lead.
struct PreparedRequest: Sendable {
    /// All of it.
    private(set) var whole: URLRequest
    /// Without what isn't stored of the request, and without what was added to it before it was sent.
    private(set) var plain: URLRequest

    /// - Parameters:
    ///   - whole: What is sent.
    ///   - fields: Those that are stored with the job.
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

    /// Whether some of it is for the job's own origin alone.
    var hasOwn: Bool { whole != plain }

    /// Changes what everybody may see.
    mutating func change(_ change: (inout URLRequest) -> Void) {
        change(&whole)
        change(&plain)
    }
}
