internal import Posix
internal import Synchronization

// For stubs and middleware, which read a request's content instead of sending it.

extension RequestBody {
    /// Whether the content can be sent more than once.
    ///
    /// False only for a ``stream(length:_:)``, and for a form with such a part. A request with such a
    /// body can't be retried.
    public var isReplayable: Bool {
        switch kind {
        case .none, .bytes, .file: true
        case .stream(let stream): stream.isRestartable
        case .multipart(let content): content.isReplayable
        }
    }

    /// Whether there is no content; content of length zero is content.
    public var isNone: Bool {
        if case .none = kind { true } else { false }
    }

    /// The number of bytes, if it is known without opening a file.
    ///
    /// Nil for files, for streams that were made without a length, and for forms with such parts.
    public var length: Int64? {
        switch kind {
        case .none: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .file: nil
        case .stream(let stream): stream.length
        case .multipart(let content): content.length
        }
    }

    /// Reads the whole content. That uses up a body that isn't replayable.
    ///
    /// A file is read in this task, which may wait for the disk. A sequence is iterated in this
    /// task, and errors that it throws become ``TransportError/underlying``.
    ///
    /// - Parameter limit: the maximum number of bytes.
    /// - Throws: ``TransportError/Code/requestBodyFailed`` if the content can't be read, is longer
    ///   than the limit, or hasn't the announced length.
    public func collect(upTo limit: Int) async throws(TransportError) -> [UInt8] {
        let bytes: [UInt8]
        switch kind {
        case .none:
            return []
        case .bytes(let content):
            bytes = content
        case .file(let path, let offset):
            bytes = try Self.read(path, from: offset, upTo: limit)
        case .stream(let stream):
            bytes = try await Self.read(stream, upTo: limit)
        case .multipart(let content):
            let files = BlockingWorker()
            defer { files.stop() }
            bytes = try await Self.read(content.stream(files: files), upTo: limit)
        }
        guard bytes.count <= limit else { throw Self.tooLong(limit) }
        return bytes
    }

    private static func read(
        _ stream: RequestStream,
        upTo limit: Int
    ) async throws(TransportError) -> [UInt8] {
        let sink = CollectingSink(limit: limit)
        await stream.pump(sink)
        let bytes = try sink.content()
        if let length = stream.length, length != bytes.count {
            throw .requestBodyFailed("it has \(bytes.count) bytes, and \(length) were announced")
        }
        return bytes
    }

    private static func read(
        _ path: String,
        from offset: Int64,
        upTo limit: Int
    ) throws(TransportError) -> [UInt8] {
        let worker = BlockingWorker()
        let body = try FileBody(path: path, from: offset, worker: worker)
        guard body.size <= limit else { throw tooLong(limit) }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try body.file.descriptor.bytes(at: body.start, upTo: Int(body.size))
        } catch {
            throw .requestBodyFailed("\(error)", systemErrno: error.errno)
        }
        guard bytes.count == body.size else {
            throw .requestBodyFailed(
                "\(path) ended after \(bytes.count) of the \(body.size) bytes announced"
            )
        }
        return bytes
    }

    fileprivate static func tooLong(_ limit: Int) -> TransportError {
        .requestBodyFailed("it is longer than the limit of \(limit) bytes")
    }
}

/// Collects the chunks of a stream.
private final class CollectingSink: ChunkSink {
    private struct State {
        var bytes: [UInt8] = []
        var failure: TransportError?
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    /// The bytes so far, or why there can't be more.
    func content() throws(TransportError) -> [UInt8] {
        let (bytes, failure) = state.withLock { ($0.bytes, $0.failure) }
        if let failure { throw failure }
        return bytes
    }

    func append(_ chunk: [UInt8]) async -> Bool {
        let isCancelled = Task.isCancelled
        return state.withLock { state in
            if isCancelled {
                state.failure = .cancelled
            } else if chunk.count > limit - state.bytes.count {
                state.failure = RequestBody.tooLong(limit)
            } else {
                state.bytes += chunk
            }
            return state.failure == nil
        }
    }

    func finish() {}

    func fail(because reason: String) {
        fail(TransportError.requestBodyFailed(reason))
    }

    func fail(_ error: any Error) {
        let failure =
            (error as? TransportError)
            ?? .requestBodyFailed(String(describing: error), underlying: error)
        state.withLock { $0.failure = failure }
    }
}
