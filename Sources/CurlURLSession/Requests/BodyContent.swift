internal import Foundation

/// What a request sends: one of these, so that a body and a stream exclude each other.
enum BodyContent: Sendable, Hashable {
    case none
    case data(Data)
    case stream(BodyStream)

    /// The bytes, where they are in memory. Setting them, to `nil` too, drops a stream.
    var data: Data? {
        get {
            if case .data(let data) = self { data } else { nil }
        }
        set { self = newValue.map { .data($0) } ?? .none }
    }

    /// The stream. Setting it, to `nil` too, drops bytes.
    var stream: InputStream? {
        get {
            if case .stream(let body) = self { body.stream } else { nil }
        }
        set { self = newValue.map { .stream(BodyStream(stream: $0)) } ?? .none }
    }
}
