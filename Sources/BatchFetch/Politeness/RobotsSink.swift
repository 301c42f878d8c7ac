import Curl
import Synchronization

/// Keeps the beginning of a body, and asks for no more than that.
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
