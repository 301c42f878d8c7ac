internal import Posix

/// The source of one transfer's request body, used by its event loop.
///
/// Lives on the loop thread. Bytes are copied directly from an array, or from a file in the
/// kernel's page cache. Everything else is produced on other threads and buffered in a window.
final class BodySource {
    /// The answer to libcurl's request for bytes.
    enum Answer {
        case bytes
        case pending
        case end
        case failure(TransportError)
    }

    private enum Origin {
        case bytes([UInt8])
        case file(FileSource)
        case stream(RequestStream, CallerTasks)
    }

    /// The content's length in bytes; nil if unknown.
    let length: Int64?

    /// How many bytes the current attempt has taken.
    private(set) var sent: Int64 = 0

    private let origin: Origin
    private let wakeLoop: @Sendable () -> Void
    private var window: UploadWindow?
    private var producer: CallerTask?

    /// Creates a source; nil if there is no content. Callers that know this can skip the call,
    /// which saves allocating the closure.
    init?(_ body: PlannedBody, wakeLoop: @escaping @Sendable () -> Void) {
        self.wakeLoop = wakeLoop
        switch body {
        case .none:
            return nil
        case .bytes(let bytes):
            origin = .bytes(bytes)
            length = Int64(bytes.count)
        case .file(let file):
            origin = .file(FileSource(file, wakeLoop: wakeLoop))
            length = file.size
        case .stream(let stream, let tasks):
            origin = .stream(stream, tasks)
            length = stream.length
        }
    }

    deinit {
        stop()
    }

    /// Content of up to 16 KiB; otherwise nil.
    ///
    /// libcurl may copy it and send it in one packet with the head.
    var smallBytes: [UInt8]? {
        if case .bytes(let bytes) = origin, bytes.count <= 16 * 1024 { bytes } else { nil }
    }

    /// How many bytes libcurl requests at once.
    ///
    /// 512 KiB from a length of 8 MiB on, otherwise 256 KiB. Fewer calls for a large body mean less
    /// work for the kernel.
    var bufferSize: Int { (length ?? 0) < 8 << 20 ? 256 * 1024 : 512 * 1024 }

    /// Copies the available bytes into `output`.
    func fill(_ output: inout OutputSpan<UInt8>) -> Answer {
        switch origin {
        case .bytes(let bytes):
            let count = output.append(copying: bytes.span.extracting(Int(sent)..<bytes.count))
            sent += Int64(count)
            return count == 0 ? .end : .bytes
        case .file(let file):
            let before = output.count
            let answer = file.fill(&output, from: sent)
            sent += Int64(output.count - before)
            return answer
        case .stream(let stream, let tasks):
            return fill(&output, from: startedWindow(stream, tasks))
        }
    }

    private func fill(
        _ output: inout OutputSpan<UInt8>,
        from window: UploadWindow
    ) -> Answer {
        let before = output.count
        switch window.take(into: &output) {
        case .pending:
            return .pending
        case .failure(let failure):
            return .failure(
                .requestBodyFailed(failure.reason, underlying: failure.underlying)
            )
        case .bytes:
            sent += Int64(output.count - before)
            return .bytes
        case .end:
            return .end
        }
    }

    private func startedWindow(_ stream: RequestStream, _ tasks: CallerTasks) -> UploadWindow {
        if let window { return window }
        let window = UploadWindow(length: length, wakeLoop: wakeLoop)
        self.window = window
        producer = tasks.start { await stream.pump(window) }
        return window
    }

    /// Rewinds to the start for another attempt; false if that is impossible.
    func rewind() -> Bool {
        if case .stream(let stream, _) = origin {
            // If nothing of a stream has been sent, it simply continues.
            guard sent > 0 else { return true }
            guard stream.isRestartable else { return false }
            stop()
        }
        sent = 0
        return true
    }

    /// Cancels the producer and closes the window.
    func stop() {
        producer?.cancel()
        producer = nil
        window?.close()
        window = nil
    }
}
