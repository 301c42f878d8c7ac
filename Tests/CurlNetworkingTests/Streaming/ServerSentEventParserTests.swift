internal import Foundation
internal import HTTPSemantics
internal import Testing

@testable internal import CurlNetworking

/// The examples and rules of the WHATWG HTML standard, section 9.2.6.
@Suite struct ServerSentEventParserTests {
    /// The events of a stream that is appended in pieces.
    private func events(
        _ pieces: [[UInt8]],
        _ parser: inout ServerSentEventParser
    ) throws -> [ServerSentEvent] {
        var lines = LineParser(limit: 1000)
        var events: [ServerSentEvent] = []
        for piece in pieces {
            lines.append(piece)
            while let line = try lines.next() {
                if let event = try parser.take(line) { events.append(ServerSentEvent(event)) }
            }
        }
        return events
    }

    private func events(_ text: String) throws -> [ServerSentEvent] {
        var parser = ServerSentEventParser(limit: 1000)
        return try events([Array(text.utf8)], &parser)
    }

    @Test("A-24: Fields form events, and comments don't")
    func fieldsMakeEvents() throws {
        let text = """
            : test stream

            data: first event
            id: 1

            data:second event
            id

            data:  third event
            event: other
            retry: 250


            """
        #expect(
            try events(text) == [
                ServerSentEvent(data: "first event", id: "1"),
                ServerSentEvent(data: "second event", id: ""),
                ServerSentEvent(
                    event: "other",
                    data: " third event",
                    retry: .milliseconds(250)
                ),
            ]
        )
    }

    @Test("A-24: Data lines are joined, and empty data counts as data")
    func linesOfDataAreJoined() throws {
        let stocks = "data: YHOO\ndata: +2\ndata: 10\n\n"
        #expect(try events(stocks) == [ServerSentEvent(data: "YHOO\n+2\n10")])
        // The last event is incomplete.
        #expect(
            try events("data\n\ndata\ndata\n\ndata:")
                == [ServerSentEvent(data: ""), ServerSentEvent(data: "\n")]
        )
        #expect(
            try events("data:test\n\ndata: test\n\n")
                == [ServerSentEvent(data: "test"), ServerSentEvent(data: "test")]
        )
    }

    @Test("A-24: Without data there is no event, and its type doesn't apply to the next one")
    func withoutDataThereIsNoEvent() throws {
        #expect(
            try events("event: a\nid: 7\n\ndata: x\n\n") == [ServerSentEvent(data: "x", id: "7")]
        )
    }

    @Test("A-24: An ID applies to the following events, unless it contains NUL")
    func idAppliesToFollowingEvents() throws {
        let text = "id: 1\ndata: a\n\ndata: b\n\nid: 2\u{0}\ndata: c\n\nid:\ndata: d\n\n"
        #expect(try events(text).map(\.id) == ["1", "1", "1", ""])
    }

    @Test("A-24: A reconnection time consists of digits only")
    func reconnectionTimeIsDigitsOnly() throws {
        for (value, expected) in [
            ("1500", Duration.milliseconds(1500)), ("0", .zero), ("-1", nil), ("1.5", nil),
            ("", nil), ("١", nil), ("99999999999999999999999", .milliseconds(86_400_000)),
        ] {
            var parser = ServerSentEventParser(limit: 100)
            _ = try events([Array("retry: \(value)\n".utf8)], &parser)
            #expect(parser.reconnectionTime == expected, "\(value)")
        }
    }

    @Test("A-24: Unknown fields and lines without a colon are ignored")
    func unknownFieldsAreIgnored() throws {
        #expect(
            try events("DATA: x\nda ta: y\nnothing\n data: z\ndata: a\n\n")
                == [ServerSentEvent(data: "a")]
        )
    }

    @Test("A-24: A stream may be split anywhere")
    func aStreamMayBeSplitAnywhere() throws {
        let text = "\u{FEFF}:c\r\nevent: grün\r\ndata: ä\rdata: b\n\r\nid: 9\rdata:→\r\r"
        let bytes = Array(text.utf8)
        let expected = [
            ServerSentEvent(event: "grün", data: "ä\nb"), ServerSentEvent(data: "→", id: "9"),
        ]
        for first in 0...bytes.count {
            for second in first...bytes.count {
                var parser = ServerSentEventParser(limit: 100)
                let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]]
                #expect(try events(pieces.map { Array($0) }, &parser) == expected)
            }
        }
    }

    @Test("A-24: A partial event of a broken connection is discarded on reconnection")
    func reconnectionDiscardsPartialEvent() throws {
        var parser = ServerSentEventParser(limit: 100)
        let half = Array("id: 1\ndata: a\n\nretry: 7\nid: 2\nevent: b\ndata: b\n".utf8)
        #expect(try events([half], &parser).count == 1)
        parser.restart()
        #expect(parser.lastEventID == "1")
        #expect(parser.reconnectionTime == .milliseconds(7))
        let rest = try events([Array("data: c\n\n".utf8)], &parser)
        #expect(rest == [ServerSentEvent(data: "c", id: "1")])
    }

    @Test("A-24: The data of an event may be as long as the limit")
    func dataMayBeAsLongAsTheLimit() throws {
        var parser = ServerSentEventParser(limit: 5)
        #expect(try events([Array("data: ab\ndata: cd\n\n".utf8)], &parser).count == 1)
        #expect(throws: ServerSentEventParser.EventTooLong(limit: 5)) {
            try events([Array("data: ab\ndata: cd\ndata:\n".utf8)], &parser)
        }
    }

    @Test("A-24: Reconnection delays grow with jitter, starting at the server's delay")
    func reconnectionDelaysGrow() {
        let rules = ServerSentEventReconnection(jitter: 0.5)
        func delay(_ attempt: Int, _ wanted: Duration? = nil, chance: Double = 0) -> Duration {
            rules.delay(attempt: attempt, wanted: wanted, chance: chance)
        }
        let seconds: [Int64] = [1, 2, 3, 4, 5, 6, 1000].map { delay($0).components.seconds }
        #expect(seconds == [3, 6, 12, 24, 48, 60, 60])
        #expect(delay(1, chance: 1) == .milliseconds(1500))
        #expect(delay(1, chance: 0.5) == .milliseconds(2250))
        #expect(delay(1, .seconds(10)) == .seconds(10))
        #expect(delay(2, .seconds(10)) == .seconds(20))
        #expect(delay(1, .zero) == .milliseconds(500))
        #expect(delay(1, .seconds(86_400)) == .seconds(60))
        let none = ServerSentEventReconnection(delay: .zero, minimumDelay: .zero)
        #expect(none.delay(attempt: 3, wanted: nil, chance: 0.7) == .zero)
    }
}
