internal import Posix

/// A request's content, ready to be sent: files are open.
///
/// Created on the thread that starts the transfer, because opening a file may wait for a disk, and
/// because a stream is iterated with the caller's task-local values.
enum PlannedBody: Sendable {
    case none
    case bytes([UInt8])
    case file(FileBody)
    case stream(RequestStream, CallerTasks)

    /// - Parameter announced: the request's Content-Length. It is the length of a stream that has
    ///   none of its own.
    init(
        _ body: RequestBody,
        announced: @autoclosure () -> Int64?,
        files: BlockingWorker
    ) throws(TransportError) {
        switch body.kind {
        case .none:
            self = .none
        case .bytes(let bytes):
            self = .bytes(bytes)
        case .file(let path, let offset):
            self = .file(try FileBody(path: path, from: offset, worker: files))
        case .stream(var stream):
            if stream.length == nil { stream.length = announced().flatMap { $0 < 0 ? nil : $0 } }
            if let length = stream.length, length < 0 {
                throw .invalidRequest(
                    "the request body's length is \(length); it can't be negative"
                )
            }
            self = .stream(stream, CallerTasks())
        case .multipart(let content):
            self = .stream(try content.stream(files: files), CallerTasks())
        }
    }

    /// Whether there is content, even of length zero.
    var isPresent: Bool {
        if case .none = self { false } else { true }
    }
}
