internal import CurlURLSession
internal import Foundation
internal import Synchronization

/// The stream of a part, which is given to one reader.
final class MultipartStreamSource: Sendable {
    private let stream: BodyStream?
    private let isTaken = Mutex(false)

    init(_ stream: InputStream?) {
        self.stream = stream.map { BodyStream(stream: $0) }
    }

    /// The stream for whoever reads it now; `nil` for one without bytes.
    ///
    /// - Throws: For everybody after the first, unless the stream can be had from its start again.
    func take(for label: String) throws -> InputStream? {
        guard let stream = stream?.stream else { return nil }
        if let stream = stream as? any RestartableStream { return stream.restarted() }
        let isFirst = isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
        guard isFirst else {
            throw URLRequestSerializationError.part(
                "The part \(label) is a stream, which can be sent once, and the form has to be sent "
                    + "again; append data or a file, or have the delegate give a new body stream."
            )
        }
        return stream
    }
}
