import Curl
import Posix

/// Records the callbacks of one transfer, and answers them as a test wishes.
final class RecordedTransfer: EasyCallbacks {
    private let events: LoopEvents

    private(set) var headerLines: [String] = []
    private(set) var body: [UInt8] = []
    private(set) var ends: [ConnectionEnds] = []
    private(set) var opened: [Int32] = []
    private(set) var offsets: [Int64] = []
    private(set) var log: [(kind: EasyLogKind, text: String)] = []

    /// The answers to the next calls; then data is accepted.
    var headerActions: [EasyDataAction] = []
    var bodyActions: [EasyDataAction] = []
    /// The pieces of the request's body, and the answer after the last.
    var pieces: [[UInt8]] = []
    var lastFill = EasyFillAction.endOfBody
    var isReady = true
    var seekAction = EasySeekAction.done

    init(_ events: LoopEvents) {
        self.events = events
    }

    var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// The texts of the log of one kind.
    func logged(_ kind: EasyLogKind) -> String {
        log.filter { $0.kind == kind }.map(\.text).joined()
    }

    // MARK: EasyCallbacks

    func received(headerLine: Span<UInt8>) -> EasyDataAction {
        let action = headerActions.isEmpty ? .accept : headerActions.removeFirst()
        if case .accept = action {
            headerLines.append(String(decoding: [UInt8](copying: headerLine), as: UTF8.self))
        }
        return action
    }

    func received(body: Span<UInt8>) -> EasyDataAction {
        let action = bodyActions.isEmpty ? .accept : bodyActions.removeFirst()
        if case .accept = action { self.body.append(copying: body) }
        return action
    }

    func fill(_ output: inout OutputSpan<UInt8>) -> EasyFillAction {
        guard !pieces.isEmpty else { return lastFill }
        let piece = pieces.removeFirst()
        let count = output.append(copying: piece.span)
        if count < piece.count { pieces.insert(Array(piece[count...]), at: 0) }
        return .bytes
    }

    func seekRequestBody(to offset: Int64) -> EasySeekAction {
        offsets.append(offset)
        return seekAction
    }

    func readyToSend(between ends: ConnectionEnds) -> Bool {
        self.ends.append(ends)
        return isReady
    }

    func openedSocket(_ descriptor: Int32) {
        opened.append(descriptor)
        events.opened(descriptor)
    }

    func logged(_ kind: EasyLogKind, _ bytes: Span<UInt8>) {
        log.append((kind, String(decoding: [UInt8](copying: bytes), as: UTF8.self)))
    }
}
