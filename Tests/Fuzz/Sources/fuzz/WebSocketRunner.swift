internal import CurlURLSession
internal import Foundation
internal import FuzzWire

/// Runs `URLSessionWebSocketTask`: receives messages until the connection ends.
struct WebSocketRunner: CaseRunner {
    private static let limit = 40.0

    private let session: URLSession
    private let port: UInt16

    init(port: UInt16) throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 20
        session = URLSession(configuration: configuration)
        self.port = port
    }

    func run(_ seed: UInt64, report: @escaping @Sendable (String) -> Void) async -> Int {
        var random = CaseRandom(seed, salt: 0x3b50)
        let exchange = Exchange(
            seed: seed,
            number: 0,
            method: FUZZ_GET,
            authority: Self.authority(seed, port: port),
            kind: FUZZ_WEBSOCKET
        )
        let expected = Expectation(exchange, decodes: false, follows: false)
        guard let url = URL(string: "ws" + exchange.url.dropFirst(4)) else { return 0 }
        let start = fuzz_now()
        let task = session.webSocketTask(with: url)
        let record = TaskRecord(follows: true, answer: .none, report: report)
        task.delegate = record
        switch random.below(4) {
        case 0: task.maximumMessageSize = .max
        case 1: task.maximumMessageSize = 100_000
        default: break
        }
        task.resume()
        if random.percent(30) { try? await task.send(.string("sent")) }
        var received: [UInt8] = []
        var failure: (any Error)?
        var isGivenUp = false
        while failure == nil {
            do {
                append(try await task.receive(), to: &received)
            } catch {
                failure = error
            }
            if random.percent(3) {
                task.cancel(with: .goingAway, reason: nil)
                isGivenUp = true
            }
            if received.count > 1 << 24 { break }
        }
        task.cancel()
        let seconds = fuzz_now() - start
        if seconds > Self.limit { report("it took \(seconds) s") }
        if received.suffix(5).elementsEqual("STRAY".utf8), !expected.body.starts(with: received) {
            report("what comes behind a violation is delivered (\(expected.reason))")
        }
        let code = (failure as? URLError)?.code
        if code == .unknown { report("a defect is reported: \(String(describing: failure))") }
        let isWhole = received == expected.body
        switch expected.verdict {
        case FUZZ_ANYTHING:
            break
        case FUZZ_MUST_SUCCEED where !isWhole && !isGivenUp,
            _ where !expected.body.starts(with: received):
            report(
                "\(received.count) bytes of messages instead of \(expected.body.count) "
                    + "(\(expected.reason)): \(failure.map { String(describing: $0) } ?? "")"
            )
        default:
            break
        }
        return 1
    }

    private func append(_ message: URLSessionWebSocketTask.Message, to received: inout [UInt8]) {
        let (letter, content): (Character, [UInt8]) =
            switch message {
            case .data(let data): ("b", Array(data))
            case .string(let text): ("t", Array(text.utf8))
            }
        received += letter.utf8
        for shift in 0..<4 {
            received.append(UInt8(truncatingIfNeeded: content.count >> (8 * shift)))
        }
        received += content
    }

    func end() async {
        session.invalidateAndCancel()
    }
}
