internal import Curl
internal import Synchronization

/// A file on its way to libcurl.
///
/// Lives on the loop thread, which copies what the kernel has in memory straight into libcurl's
/// buffer. What a disk would have to be waited for is read by the worker, a piece at a time, while
/// the transfer is paused.
final class FileSource {
    private let body: FileBody
    private let wakeLoop: @Sendable () -> Void
    private let piece = Piece()

    init(_ body: FileBody, wakeLoop: @escaping @Sendable () -> Void) {
        self.body = body
        self.wakeLoop = wakeLoop
    }

    /// Copies bytes from `offset` of the body on into `output`.
    func fill(_ output: inout OutputSpan<UInt8>, from offset: Int64) -> BodySource.Answer {
        let left = body.size - offset
        guard left > 0 else { return .end }
        do throws(FileError) {
            let before = output.count
            if try piece.take(into: &output, from: offset) {
                return output.count > before ? .bytes : tooShort(offset)
            }
            let read = try body.file.descriptor.readPromptly(
                at: body.start + offset,
                upTo: Int(clamping: left),
                isInMemory: body.file.isInMemory,
                into: &output
            )
            switch read {
            case .bytes(0) where body.file.isInMemory: return tooShort(offset)
            case .bytes(let count) where count > 0: return .bytes
            // Linux 5.9 and 5.10 also answer with nothing where they would have to wait.
            case .bytes, .wouldWait:
                piece.read(of: body, from: offset, then: wakeLoop)
                return .nothingYet
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

/// What the worker has read of a file, or is reading.
private final class Piece: Sendable {
    private enum State {
        case none
        case underWay
        case read(Result<[UInt8], FileError>, offset: Int64)
    }

    private let state = Mutex(State.none)

    /// As much is read at a time.
    private static let size = 256 * 1024

    /// On the loop: moves the bytes that begin at `offset`, if they are there. None are left where
    /// the file ends before.
    func take(
        into output: inout OutputSpan<UInt8>,
        from offset: Int64
    ) throws(FileError) -> Bool {
        guard case .read(let result, let start) = state.withLock({ $0 }) else { return false }
        let bytes = try result.get()
        let skipped = offset - start
        // What was read for another attempt is of no use.
        guard skipped >= 0, skipped < max(1, bytes.count) else {
            state.withLock { $0 = .none }
            return false
        }
        _ = output.append(copying: bytes.span.extracting(Int(skipped)..<bytes.count))
        return true
    }

    /// On the loop: has the worker read from `offset` on, and tell when that is done.
    func read(of body: FileBody, from offset: Int64, then wakeLoop: @escaping @Sendable () -> Void)
    {
        let isUnderWay = state.withLock { state in
            if case .underWay = state { return true }
            state = .underWay
            return false
        }
        // The loop is told in any case, and asks anew.
        guard !isUnderWay else { return }
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
