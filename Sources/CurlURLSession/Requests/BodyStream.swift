package import Foundation

/// The stream that a request's body is read from.
///
/// `@unchecked Sendable`: a stream that was put into a request is given up by its owner, as
/// `URLRequest.httpBodyStream` says, and the one task that sends the request reads it, on one thread
/// at a time. Nothing here reads it or changes it; only its identity is looked at.
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
