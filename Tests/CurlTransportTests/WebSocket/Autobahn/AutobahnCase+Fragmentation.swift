import CurlTransport
import TestSupport

extension AutobahnCase {
    // MARK: 5: Fragmentation

    static let fragmentation: [AutobahnCase] = {
        let parts = (1...5).map { Array("fragment\($0)".utf8) }
        func text(_ index: Int, isFinal: Bool = false) -> ServerFrame {
            ServerFrame(1, parts[index - 1], isFinal: isFinal)
        }
        func more(_ index: Int, isFinal: Bool = false) -> ServerFrame {
            .more(parts[index - 1], isFinal: isFinal)
        }
        func message(_ count: Int) -> WebSocketMessage {
            .text(String(decoding: parts[..<count].joined(), as: UTF8.self))
        }
        let payload = Array("ping payload".utf8)
        let (ping, pong) = (ServerFrame.ping(payload), ServerFrame.pong(payload))
        let two = [text(1), more(2, isFinal: true)]
        let withPing = [text(1), ping, more(2, isFinal: true)]
        let five = [
            text(1), more(2), ping, more(3), more(4), ServerFrame.ping([1]), more(5, isFinal: true),
        ]
        let wrong = Outcome.failure(.protocolError)
        let unfinished = ServerFrame(9, parts[0], isFinal: false)
        let unfinishedPong = ServerFrame(10, parts[0], isFinal: false)
        let alone = [more(1, isFinal: true), text(2, isFinal: true)]
        let aloneAndUnfinished = [more(1), text(2, isFinal: true)]
        return [
            AutobahnCase("5.1", [unfinished, more(2, isFinal: true)], wrong),
            AutobahnCase("5.2", [unfinishedPong, more(2, isFinal: true)], wrong),
            AutobahnCase("5.3", two, messages: [message(2)]),
            AutobahnCase("5.4", chopping: 1, two, messages: [message(2)]),
            AutobahnCase("5.5", chopping: 3, two, messages: [message(2)]),
            AutobahnCase("5.6", withPing, messages: [message(2)], pings: [payload]),
            AutobahnCase("5.7", chopping: 1, withPing, messages: [message(2)], pings: [payload]),
            AutobahnCase("5.8", chopping: 3, withPing, messages: [message(2)], pings: [payload]),
            AutobahnCase("5.9", alone, wrong),
            AutobahnCase("5.10", chopping: 7, alone, wrong),
            AutobahnCase("5.11", chopping: 1, alone, wrong),
            AutobahnCase("5.12", aloneAndUnfinished, wrong),
            AutobahnCase("5.13", chopping: 7, aloneAndUnfinished, wrong),
            AutobahnCase("5.14", chopping: 1, aloneAndUnfinished, wrong),
            AutobahnCase(
                "5.15",
                two + [more(3), text(4, isFinal: true)],
                messages: [message(2)],
                wrong
            ),
            AutobahnCase("5.16", [more(1), text(2), more(3, isFinal: true)], wrong),
            AutobahnCase("5.17", [more(1, isFinal: true), text(2), more(3, isFinal: true)], wrong),
            AutobahnCase("5.18", [text(1), text(2, isFinal: true)], wrong),
            AutobahnCase("5.19", five, messages: [message(5)], pings: [payload, [1]]),
            AutobahnCase("5.20", chopping: 1, five, messages: [message(5)], pings: [payload, [1]]),
            // Not in the suite: a message within a binary one, and a pong between fragments.
            AutobahnCase("5.x1", [.binary([1], isFinal: false), .binary([2])], wrong),
            AutobahnCase("5.x2", [text(1), pong, more(2, isFinal: true)], messages: [message(2)]),
        ]
    }()
}
