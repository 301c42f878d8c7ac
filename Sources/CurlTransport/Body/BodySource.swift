internal import Curl

/// Where one transfer's request body comes from, as its loop sees it.
///
/// Lives on the loop thread. Bytes are copied straight from an array or from a file that is in the
/// kernel's memory; everything else is produced elsewhere, into a window.
final class BodySource {
    /// What libcurl is told when it asks for bytes.
    enum Answer {
        case bytes
        case nothingYet
        case end
        case failure(TransportError)
    }

    private enum Origin {
        case bytes([UInt8])
        case file(FileSource)
        case stream(RequestStream)
    }

    /// The content's length in bytes, where it is known.
    let length: Int64?

    /// How many bytes of the present attempt were handed out.
    private(set) var sent: Int64 = 0

    private let origin: Origin
    private let wakeLoop: @Sendable () -> Void
    private var window: UploadWindow?
    private var producer: Task<Void, Never>?

    /// Nil where there is no content. Who knows that there is none spares himself the closure.
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
        case .stream(let stream):
            origin = .stream(stream)
            length = stream.length
        }
    }

    deinit {
        stop()
    }

    /// Small content that libcurl may copy as a whole and send with the head in one packet.
    var smallBytes: [UInt8]? {
        if case .bytes(let bytes) = origin, bytes.count <= 16 * 1024 { bytes } else { nil }
    }

    /// How many bytes are asked for at once. The fewer calls a large body takes, the less the kernel does
    /// for it.
    var bufferSize: Int { (length ?? 0) < 8 << 20 ? 256 * 1024 : 512 * 1024 }

    /// Copies what there is into `output`.
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
        case .stream(let stream):
            return fill(&output, from: startedWindow(stream))
        }
    }

    private func fill(
        _ output: inout OutputSpan<UInt8>,
        from window: UploadWindow
    ) -> Answer {
        let before = output.count
        switch window.take(into: &output) {
        case .nothingYet:
            return .nothingYet
        case .failure(let reason):
            return .failure(.requestBodyFailed(reason))
        case .bytes:
            sent += Int64(output.count - before)
            return .bytes
        case .end:
            return .end
        }
    }

    private func startedWindow(_ stream: RequestStream) -> UploadWindow {
        if let window { return window }
        let window = UploadWindow(length: length, wakeLoop: wakeLoop)
        self.window = window
        producer = Task.detached { await stream.pump(window) }
        return window
    }

    /// Goes back to the start for another attempt; false if that is impossible.
    func rewind() -> Bool {
        if case .stream(let stream) = origin {
            // A stream of which nothing was sent just goes on.
            guard sent > 0 else { return true }
            guard stream.isRestartable else { return false }
            stop()
        }
        sent = 0
        return true
    }

    /// Lets a producer go. Nothing more is asked for.
    func stop() {
        producer?.cancel()
        producer = nil
        window?.close()
        window = nil
    }
}
