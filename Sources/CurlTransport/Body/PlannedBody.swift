/// A request's content, made ready to be sent: what names a file has it open.
///
/// Made on the thread that starts the transfer, because opening a file may wait for a disk.
enum PlannedBody: Sendable {
    case none
    case bytes([UInt8])
    case file(FileBody)
    case stream(RequestStream)

    /// - Parameter announced: the request's Content-Length, which is the length of a stream that
    ///   brings none itself.
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
            self = .stream(stream)
        }
    }

    /// Whether there is content, be it of length zero.
    var isPresent: Bool {
        if case .none = self { false } else { true }
    }
}
