package import Foundation

/// The body of a request: data or a stream, never both.
enum BodyContent: Sendable, Hashable {
    case none
    case data(Data)
    case stream(BodyStream)

    /// The bytes, if they are in memory. Setting it, also to `nil`, removes a stream.
    var data: Data? {
        get {
            if case .data(let data) = self { data } else { nil }
        }
        set { self = newValue.map { .data($0) } ?? .none }
    }

    /// The stream. Setting it, also to `nil`, removes the bytes.
    var stream: InputStream? {
        get {
            if case .stream(let body) = self { body.stream } else { nil }
        }
        set { self = newValue.map { .stream(BodyStream(stream: $0)) } ?? .none }
    }
}

// `@unchecked Sendable`: the owner gives up a stream that he sets on a request, as
// `URLRequest.httpBodyStream` requires. Only the task that sends the request reads it, on one
// thread at a time. This type neither reads nor changes the stream; it only compares its identity.
/// The stream that a request's body is read from.
package struct BodyStream: @unchecked Sendable {
    package let stream: InputStream

    package init(stream: InputStream) {
        self.stream = stream
    }
}

extension BodyStream: Hashable {
    package static func == (lhs: BodyStream, rhs: BodyStream) -> Bool {
        lhs.stream === rhs.stream
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(stream))
    }
}
