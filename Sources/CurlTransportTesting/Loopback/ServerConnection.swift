internal import Posix

/// One connection of a `LoopbackServer`, on its loop thread.
///
/// It runs its steps until the socket blocks or a step waits.
final class ServerConnection {
    enum Outcome {
        case wants(TokenPoller.Interest)
        /// Could continue, but lets other connections run first.
        case yields
        case waitsFor(Gate)
        case waitsUntil(ContinuousClock.Instant)
        case ended(LoopbackConnection.Ending)
    }

    /// A step in progress.
    enum Activity {
        case readHead
        case readBody(until: Int)
        case readUntilClosed
        case converse(@Sendable ([UInt8]) -> [LoopbackStep]?)
        case send([UInt8], offset: Int)
        /// Sends `left` bytes (nil: endlessly) of a repeated block.
        case `repeat`([UInt8], offset: Int, left: Int?)
        case wait
    }

    let id: Int
    let descriptor: Int32
    var interest: TokenPoller.Interest = []
    let core: ServerCore
    var input = InputBuffer()
    var activity: Activity?
    /// The current request, and its index in the recorded requests.
    var request: LoopbackRequest?
    var recordIndex: Int?
    var decoder: BodyDecoder?
    /// The remaining steps, the next one last.
    private var steps: [LoopbackStep]
    private var isReset = false
    /// The bytes that may be moved before other connections get their turn.
    var budget = 0

    init(
        _ id: Int,
        _ descriptor: Int32,
        _ core: ServerCore,
        _ steps: [LoopbackStep]
    ) {
        (self.id, self.descriptor, self.core) = (id, descriptor, core)
        self.steps = steps.reversed()
    }

    var isWaiting: Bool {
        if case .wait = activity { return true }
        return false
    }

    func stopWaiting() { activity = nil }

    func run() -> Outcome {
        budget = 1 << 20
        while true {
            if let activity {
                if let outcome = proceed(activity) { return outcome }
                self.activity = nil
            } else if let outcome = begin(steps.popLast() ?? .close) {
                return outcome
            }
        }
    }

    /// Begins a step; returns nil to continue at once.
    private func begin(_ step: LoopbackStep) -> Outcome? {
        switch step {
        case .readHead: activity = .readHead
        case .readBody: activity = .readBody(until: .max)
        case .readBodyBytes(let count):
            activity = .readBody(until: (request?.bodyByteCount ?? 0) + count)
        case .readUntilClosed: activity = .readUntilClosed
        case .converse(let answer): activity = .converse(answer)
        case .send(let bytes): activity = .send(bytes, offset: 0)
        case .sendRepeating(let bytes, let times): activity = Self.repeating(bytes, times)
        case .open(let gate): gate.open()
        case .halfClose: SocketEnd.finishSending(on: descriptor)
        case .waitFor(let gate):
            guard !gate.isOpen else { return nil }
            activity = .wait
            return .waitsFor(gate)
        case .after(let time):
            activity = .wait
            return .waitsUntil(.now + time)
        case .stall:
            activity = .wait
            return .wants(.hangup)
        case .letOthers:
            activity = .wait
            return .yields
        case .reset:
            isReset = true
            return .ended(.server)
        case .close:
            drain()
            return .ended(.server)
        case .respond(let handler):
            if let request { steps += handler(request).reversed() }
        }
        return nil
    }

    /// Continues a step; returns nil when it is done.
    private func proceed(_ activity: Activity) -> Outcome? {
        switch activity {
        case .readHead: readHead()
        case .readBody(let until): readBody(until)
        case .readUntilClosed: readUntilClosed()
        case .converse(let answer): converse(answer)
        case .send(let bytes, let offset): send(bytes, offset)
        case .repeat(let block, let offset, let left): sendRepeating(block, offset, left)
        case .wait: .wants(.hangup)
        }
    }

    private static func repeating(_ bytes: [UInt8], _ times: Int?) -> Activity? {
        guard !bytes.isEmpty, times != 0 else { return nil }
        // Larger blocks need fewer system calls; whole repetitions keep the order.
        let repetitions = max(1, min(times ?? .max, (1 << 16) / bytes.count))
        let block = Array(repeatElement(bytes, count: repetitions).joined())
        return .repeat(block, offset: 0, left: times.map { $0 * bytes.count })
    }

    /// Inserts steps before the remaining ones.
    func proceed(with next: [LoopbackStep]) { steps += next.reversed() }

    func closeDescriptor() {
        if isReset {
            ServerSocket.reset(descriptor)
        } else {
            ServerSocket.close(descriptor)
        }
    }
}
