public import CurlURLSession
internal import Foundation
internal import HTTPSemantics

/// An ordered collection of header fields, one for each name.
///
/// Names are compared ignoring case (RFC 9110, 5.1), and keep the spelling that was set last.
/// Create a collection from a literal, `["Accept": "text/plain"]`, or from fields,
/// `[.accept("text/plain"), .authorization(bearerToken: token)]`.
public struct HTTPHeaders: Sendable {
    private var fields: [HTTPHeader] = []

    /// Creates an empty collection.
    public init() {}

    /// Creates a collection of fields.
    ///
    /// If several fields have one name, the last value is used, at the position of the first.
    public init(_ headers: [HTTPHeader]) {
        for header in headers { update(header) }
    }

    /// Creates a collection from a dictionary, in the order of the names.
    ///
    /// If several names differ only in case, the last one is used.
    public init(_ dictionary: [String: String]) {
        for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) {
            update(name: name, value: value)
        }
    }

    /// Replaces the field of the same name, or appends the field.
    public mutating func update(_ header: HTTPHeader) {
        if let index = index(of: header.name) {
            fields[index] = header
        } else {
            fields.append(header)
        }
    }

    /// Replaces the field of the same name, or appends the field.
    public mutating func update(name: String, value: String) {
        update(HTTPHeader(name: name, value: value))
    }

    /// Replaces the field of the same name, or appends the field.
    ///
    /// It is the same as ``update(_:)``.
    public mutating func add(_ header: HTTPHeader) {
        update(header)
    }

    /// Replaces the field of the same name, or appends the field.
    public mutating func add(name: String, value: String) {
        update(name: name, value: value)
    }

    /// Removes the field with a name, if there is one.
    public mutating func remove(name: String) {
        if let index = index(of: name) { fields.remove(at: index) }
    }

    /// Sorts the fields by name, ignoring case.
    public mutating func sort() {
        fields.sort { $0.name.lowercased() < $1.name.lowercased() }
    }

    /// Returns the fields sorted by name, ignoring case.
    public func sorted() -> HTTPHeaders {
        var headers = self
        headers.sort()
        return headers
    }

    /// The value of the field with a name, or `nil`.
    public func value(for name: String) -> String? {
        index(of: name).map { fields[$0].value }
    }

    /// The value of the field with a name, or `nil`.
    ///
    /// Setting `nil` removes the field.
    public subscript(name: String) -> String? {
        get { value(for: name) }
        set {
            if let newValue {
                update(name: name, value: newValue)
            } else {
                remove(name: name)
            }
        }
    }

    /// Names and values as a dictionary, without order.
    public var dictionary: [String: String] {
        Dictionary(fields.map { ($0.name, $0.value) }) { _, last in last }
    }

    private func index(of name: String) -> Int? {
        fields.firstIndex { $0.isNamed(name) }
    }
}

extension HTTPHeaders: RandomAccessCollection {
    /// The index of the first field.
    public var startIndex: Int { fields.startIndex }

    /// The index after the last field.
    public var endIndex: Int { fields.endIndex }

    /// The field at an index.
    public subscript(position: Int) -> HTTPHeader { fields[position] }
}

extension URLRequest {
    /// The header fields, sorted by name: a view of `allHTTPHeaderFields`.
    ///
    /// A request with an invalid value fails before it is sent.
    public var headers: HTTPHeaders {
        get { HTTPHeaders(allHTTPHeaderFields ?? [:]) }
        set { allHTTPHeaderFields = newValue.dictionary }
    }
}

extension HTTPURLResponse {
    /// The delay in seconds from `now` that the response requests (RFC 9110, 10.2.3).
    ///
    /// `nil` if the field is missing or invalid. A date in the past is 0. Callers limit the value.
    func retryAfter(now: Date = Date()) -> TimeInterval? {
        value(forHTTPHeaderField: "Retry-After")
            .flatMap { RetryAfter.delay(from: $0, now: Int64(now.timeIntervalSince1970)) }
            .map { TimeInterval($0.components.seconds) }
    }
}
