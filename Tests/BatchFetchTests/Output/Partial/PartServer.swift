import Synchronization
import TestSupport

/// A server of long bodies, complete or in ranges, for tests of resumed downloads.
///
/// It breaks off where the test says, and records its requests.
final class PartServer: Sendable {
    let server: LoopbackServer
    let ledger: PartLedger
    private let responder: Responder

    /// - Parameters:
    ///   - pause: Each answer stops after this many bytes of its body until the gate is open.
    ///   - answer: Returns the answer to a request; the first argument is the number of earlier
    ///     requests.
    init(
        pause: (bytes: Int, gate: Gate)? = nil,
        _ answer: @escaping @Sendable (Int, RecordedRequest) -> PartAnswer
    ) throws {
        let ledger = PartLedger()
        let responder = Responder(ledger: ledger, pause: pause, answer: answer)
        self.ledger = ledger
        self.responder = responder
        var options = ServerOptions()
        // Keeps the number of unsent bytes small that a reset discards.
        options.sendBufferBytes = 64 << 10
        server = try LoopbackServer.scripted(options: options) { responder.cycle(on: $0) }
        ledger.begin(server)
    }

    /// Answers each request from a body, and breaks off the first answers.
    convenience init(
        _ body: PartBody,
        breaking counts: [Int] = [],
        _ ending: PartAnswer.Ending = .close
    ) throws {
        try self.init { number, _ in
            let answer = PartAnswer.body(body)
            guard number < counts.count else { return answer }
            return answer.breaking(after: counts[number], ending)
        }
    }

    var url: String { server.url + "/body" }
    var requests: [RecordedRequest] { server.requests }
}

/// Makes the answers to requests.
private final class Responder: Sendable {
    private static let piece = 64 << 10

    private let ledger: PartLedger
    private let pause: (bytes: Int, gate: Gate)?
    private let answer: @Sendable (Int, RecordedRequest) -> PartAnswer

    init(
        ledger: PartLedger,
        pause: (bytes: Int, gate: Gate)?,
        answer: @escaping @Sendable (Int, RecordedRequest) -> PartAnswer
    ) {
        (self.ledger, self.pause, self.answer) = (ledger, pause, answer)
    }

    /// The steps that serve one request after the other.
    func cycle(on connection: Int) -> [Step] {
        [
            .readHead, .readBody, .letOthers,
            .respond { [self] request in
                let number = ledger.arrived(on: connection)
                return steps(answer(number, request), request, connection)
            },
        ]
    }

    private func steps(
        _ answer: PartAnswer,
        _ request: RecordedRequest,
        _ connection: Int
    ) -> [Step] {
        if let reply = answer.reply {
            return [answered(connection)] + reply.steps(for: request) + cycle(on: connection)
        }
        guard let (range, isPart) = answer.range(for: request) else {
            let reply = Reply.status(416).header("Content-Range", "bytes */\(answer.body.count)")
            return [answered(connection)] + reply.steps(for: request) + cycle(on: connection)
        }
        let count = min(answer.breaking?.count ?? range.count, range.count)
        let sent = range.lowerBound..<range.lowerBound + count
        return [.send(answer.head(range, isPart: isPart))]
            + (answer.hold.map { [.waitFor($0)] } ?? [])
            + [pieces(sent, of: answer, sent: 0)] + ending(answer, connection)
    }

    /// Sends the bytes piece by piece.
    private func pieces(_ range: Range<Int>, of answer: PartAnswer, sent: Int) -> Step {
        .respond { [self] _ in
            guard !range.isEmpty else { return [] }
            let piece = range.prefix(Self.piece)
            let bytes = Array(answer.body.bytes[piece])
            ledger.sends(bytes.count)
            let end = sent + bytes.count
            let wait = pause.map { end > $0.bytes ? [Step.waitFor($0.gate)] : [] } ?? []
            let next = piece.upperBound..<range.upperBound
            return wait + [answer.isChunked ? Reply.chunk(bytes) : .send(bytes)]
                + [pieces(next, of: answer, sent: end)]
        }
    }

    private func ending(_ answer: PartAnswer, _ connection: Int) -> [Step] {
        guard let breaking = answer.breaking else {
            let end = answer.isChunked ? [Step.send("0\r\n\r\n")] : []
            return end + [answered(connection)] + cycle(on: connection)
        }
        let broken: [Step] =
            switch breaking.ending {
            case .close: [.close]
            // After a reset the client may lose the bytes that it hasn't read.
            case .reset: [.after(.milliseconds(300)), .reset]
            case .stall: [.stall]
            }
        return (breaking.ending == .stall ? [] : [answered(connection)]) + broken
    }

    private func answered(_ connection: Int) -> Step {
        .respond { [ledger] _ in
            ledger.answered(on: connection)
            return []
        }
    }
}
