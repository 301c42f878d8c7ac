import Posix
import Synchronization

/// The result of fetching a host's `robots.txt` (RFC 9309, 2.3.1).
enum RobotsAnswer: Sendable {
    /// The rules; a host without a file allows everything.
    case file(RobotsFile)
    /// The file can't be fetched, for this reason.
    case unavailable(String)
    /// The host's address is refused, for this reason.
    case refused(String)

    init(_ outcome: AttemptOutcome, token: String) {
        switch outcome.status {
        case .some(200..<300):
            guard case .memory(let bytes) = outcome.end else {
                let reason = outcome.failure?.reason.message
                self = .unavailable(reason ?? "the file's transfer ended early")
                return
            }
            self = .file(RobotsFile(bytes, token: token))
        case .some(300..<500) where outcome.status != 429:
            self = .file(RobotsFile())
        default:
            if let reason = outcome.failure?.reason, reason.code == .addressRefused {
                self = .refused(reason.message)
                return
            }
            self = .unavailable(outcome.failure?.reason.message ?? "no response")
        }
    }
}

/// Collects a body up to ``RobotsFile/maximumSize``, then stops the transfer.
final class RobotsSink: BodySink {
    private let body = Mutex<[UInt8]>([])

    func receive(_ bytes: Span<UInt8>, flow: any FlowControl) -> BodyDemand {
        body.withLock { body in
            body.append(copying: bytes)
            return body.count < RobotsFile.maximumSize ? .more : .stop
        }
    }

    func finish(isComplete: Bool, _ done: @escaping @Sendable (BodyEnd) -> Void) {
        let bytes = body.withLock { $0 }
        let isEnough = isComplete || bytes.count >= RobotsFile.maximumSize
        done(isEnough ? .memory(bytes) : .dropped)
    }
}
