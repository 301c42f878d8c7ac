import Synchronization

/// Compares a body with what it should be.
package final class DemoVerifier: BodyInspector {
    private struct State {
        var received = 0
        var wrongPiece: Int?
    }

    private let object: DemoObject
    private let state = Mutex(State())

    package init(_ object: DemoObject) {
        self.object = object
    }

    package func inspect(_ bytes: Span<UInt8>) {
        state.withLock { state in
            if state.wrongPiece == nil, !object.matches(bytes, at: state.received) {
                state.wrongPiece = state.received
            }
            state.received += bytes.count
        }
    }

    package func finish() -> String? {
        let (received, wrongPiece) = state.withLock { ($0.received, $0.wrongPiece) }
        if received != object.size {
            return "\(object.path) has \(received) bytes instead of \(object.size)"
        }
        return wrongPiece.map { "\(object.path) differs behind byte \($0)" }
    }
}
