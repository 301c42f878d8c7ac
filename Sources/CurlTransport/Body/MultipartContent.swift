internal import HTTPSemantics
internal import Posix
internal import Synchronization

/// The parts of a multipart form, and the boundary between them.
struct MultipartContent: Sendable {
    let parts: [MultipartPart]
    let boundary: MultipartBoundary

    /// Whether all parts can be sent again.
    var isReplayable: Bool { parts.allSatisfy(\.body.isReplayable) }

    /// The length in bytes; nil unless those of all parts are known without opening files.
    var length: Int64? { length(parts.map(\.body.length)) }

    /// The form's length if the parts have these ones.
    private func length(_ lengths: [Int64?]) -> Int64? {
        var sum = Int64(parts.indices.reduce(ending.count) { $0 + opening($1).count })
        for length in lengths {
            // The program may announce any length for a stream.
            guard let length, length >= 0 else { return nil }
            let (next, hasOverflown) = sum.addingReportingOverflow(length)
            guard !hasOverflown else { return nil }
            sum = next
        }
        return sum
    }

    /// The delimiter before a part, and the part's header.
    private func opening(_ index: Int) -> [UInt8] {
        Array((index == 0 ? boundary.initial : boundary.encapsulation).utf8) + parts[index].head
    }

    private var ending: [UInt8] {
        // Without parts there is no line end before the last delimiter.
        Array(parts.isEmpty ? "--\(boundary.text)--\r\n".utf8 : boundary.final.utf8)
    }

    /// The form as a stream, with its files open.
    ///
    /// - Parameter files: reads the files.
    /// - Throws: ``TransportError/Code/requestBodyFailed`` if a file can't be opened.
    func stream(files: BlockingWorker) throws(TransportError) -> RequestStream {
        var opened: [MultipartBody] = []
        for part in parts { opened.append(try MultipartBody(part.body, files: files)) }
        let bodies = opened
        return RequestStream(
            length: length(bodies.map(\.length)),
            isRestartable: isReplayable
        ) { sink in
            for (index, body) in bodies.enumerated() {
                guard await sink.append(opening(index)), await body.send(to: sink) else { return }
            }
            guard await sink.append(ending) else { return }
            sink.finish()
        }
    }
}

/// The content of a part, ready to be sent.
private enum MultipartBody: Sendable {
    case bytes([UInt8])
    case file(FileBody)
    case stream(RequestStream)

    init(_ body: RequestBody, files: BlockingWorker) throws(TransportError) {
        switch body.kind {
        case .none: self = .bytes([])
        case .bytes(let bytes): self = .bytes(bytes)
        case .file(let path, let offset):
            self = .file(try FileBody(path: path, from: offset, worker: files))
        case .stream(let stream): self = .stream(stream)
        case .multipart(let content): self = .stream(try content.stream(files: files))
        }
    }

    var length: Int64? {
        switch self {
        case .bytes(let bytes): Int64(bytes.count)
        case .file(let file): file.size
        case .stream(let stream): stream.length
        }
    }

    /// Sends the content. Returns false if it has failed, or if no more is wanted.
    func send(to sink: any ChunkSink) async -> Bool {
        switch self {
        case .bytes(let bytes):
            return await sink.append(bytes)
        case .file(let file):
            return await file.send(to: sink)
        case .stream(let stream):
            let part = PartSink(sink, length: stream.length)
            await stream.pump(part)
            return part.isComplete
        }
    }
}

extension FileBody {
    /// The number of bytes that are read at once.
    private static let pieceSize = 256 * 1024

    fileprivate func send(to sink: any ChunkSink) async -> Bool {
        var offset: Int64 = 0
        while offset < size {
            let (position, count) = (start + offset, Int(min(Int64(Self.pieceSize), size - offset)))
            let piece: [UInt8]
            do {
                piece = try await worker.run { [file] in
                    try file.descriptor.bytes(at: position, upTo: count)
                }
            } catch {
                sink.fail(because: "\(error)")
                return false
            }
            guard !piece.isEmpty else {
                sink.fail(because: "a file ended after \(offset) of the \(size) bytes announced")
                return false
            }
            guard await sink.append(piece) else { return false }
            offset += Int64(piece.count)
        }
        return true
    }
}

/// Passes the chunks of one part on, and checks their number of bytes.
private final class PartSink: ChunkSink {
    private struct State {
        var count: Int64 = 0
        var isComplete = false
    }

    private let sink: any ChunkSink
    private let length: Int64?
    private let state = Mutex(State())

    init(_ sink: any ChunkSink, length: Int64?) {
        self.sink = sink
        self.length = length
    }

    /// Whether the part has ended without an error.
    var isComplete: Bool { state.withLock { $0.isComplete } }

    func append(_ chunk: [UInt8]) async -> Bool {
        let count = state.withLock { state in
            state.count += Int64(chunk.count)
            return state.count
        }
        if let length, count > length {
            sink.fail(because: "a part is longer than the \(length) bytes announced")
            return false
        }
        return await sink.append(chunk)
    }

    func finish() {
        let count = state.withLock { $0.count }
        if let length, count < length {
            sink.fail(because: "a part ended after \(count) of the \(length) bytes announced")
        } else {
            state.withLock { $0.isComplete = true }
        }
    }

    func fail(_ error: any Error) { sink.fail(error) }

    func fail(because reason: String) { sink.fail(because: reason) }
}
