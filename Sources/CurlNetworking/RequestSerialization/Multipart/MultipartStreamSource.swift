internal import CurlURLSession
internal import Foundation
internal import Synchronization

/// The stream of a part, which only one reader may use.
final class MultipartStreamSource: Sendable {
    private let stream: BodyStream?
    private let isTaken = Mutex(false)

    init(_ stream: InputStream?) {
        self.stream = stream.map { BodyStream(stream: $0) }
    }

    /// Returns the stream for the current reader; `nil` for an empty one.
    ///
    /// - Throws: An error for the second reader and later ones, unless the stream can be restarted.
    func take(for label: String) throws -> InputStream? {
        guard let stream = stream?.stream else { return nil }
        if let stream = stream as? any RestartableStream { return stream.restarted() }
        let isFirst = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        guard isFirst else {
            throw URLRequestSerializationError.part(
                "The form must be sent again, but its part \(label) is a stream, which can be sent only "
                    + "once; append data or a file, or let the delegate provide a new body stream."
            )
        }
        return stream
    }
}
