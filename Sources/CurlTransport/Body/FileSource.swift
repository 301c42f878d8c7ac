internal import Posix
internal import Synchronization

/// Reads a file for libcurl without blocking the loop thread.
///
/// Lives on the loop thread, which copies cached parts of the file directly into libcurl's buffer.
/// If a read would wait for the disk, the worker reads one piece while the transfer is paused.
final class FileSource {
    private let body: FileBody
    private let wakeLoop: @Sendable () -> Void
    private let piece = Piece()

    init(_ body: FileBody, wakeLoop: @escaping @Sendable () -> Void) {
        self.body = body
        self.wakeLoop = wakeLoop
    }

    /// Copies the body's bytes from `offset` on into `output`.
    func fill(_ output: inout OutputSpan<UInt8>, from offset: Int64) -> BodySource.Answer {
        let left = body.size - offset
        guard left > 0 else { return .end }
        do throws(FileError) {
            let before = output.count
            if try piece.take(into: &output, from: offset) {
                return output.count > before ? .bytes : tooShort(offset)
            }
            let read = try body.file.descriptor.readNonblocking(
                at: body.start + offset,
                upTo: Int(clamping: left),
                isInMemory: body.file.isInMemory,
                into: &output
            )
            switch read {
            case .bytes(0) where body.file.isInMemory: return tooShort(offset)
            case .bytes(let count) where count > 0: return .bytes
            // Linux 5.9 and 5.10 also return 0 bytes when a read would have to wait.
            case .bytes, .wouldWait:
                piece.read(of: body, from: offset, then: wakeLoop)
                return .pending
            }
        } catch {
            return .failure(.requestBodyFailed("\(error)"))
        }
    }

    private func tooShort(_ offset: Int64) -> BodySource.Answer {
        .failure(
            .requestBodyFailed("it ended after \(offset) of the \(body.size) bytes announced")
        )
    }
}

/// The piece of the file that the worker has read or is reading.
private final class Piece: Sendable {
    private enum State {
        case none
        case reading
        case read(Result<[UInt8], FileError>, offset: Int64)
    }

    private let state = Mutex(State.none)

    /// The size of one piece in bytes.
    private static let size = 256 * 1024

    /// Copies the bytes from `offset` on; false if they haven't been read yet.
    ///
    /// Appends nothing if the file ends at `offset`. Throws the error of the read. Called on the
    /// loop thread.
    func take(
        into output: inout OutputSpan<UInt8>,
        from offset: Int64
    ) throws(FileError) -> Bool {
        guard case .read(let result, let start) = state.withLock({ $0 }) else { return false }
        let bytes = try result.get()
        let skipped = offset - start
        // Bytes that were read for an earlier attempt are useless.
        guard skipped >= 0, skipped < max(1, bytes.count) else {
            state.withLock { $0 = .none }
            return false
        }
        _ = output.append(copying: bytes.span.extracting(Int(skipped)..<bytes.count))
        return true
    }

    /// Starts a read from `offset` on the worker, which calls `wakeLoop` when it is done.
    ///
    /// Called on the loop thread.
    func read(of body: FileBody, from offset: Int64, then wakeLoop: @escaping @Sendable () -> Void)
    {
        let isReading = state.withLock { state in
            if case .reading = state { return true }
            state = .reading
            return false
        }
        // The read in progress wakes the loop, which then calls this again.
        guard !isReading else { return }
        body.worker.submit { [self] in
            let count = Int(min(Int64(Self.size), body.size - offset))
            let result = Result { () throws(FileError) in
                try body.file.descriptor.bytes(at: body.start + offset, upTo: count)
            }
            state.withLock { $0 = .read(result, offset: offset) }
            wakeLoop()
        }
    }
}
