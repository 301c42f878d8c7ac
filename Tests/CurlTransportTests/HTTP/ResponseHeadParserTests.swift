import HTTPTypes
import Testing

@testable import CurlTransport

struct ResponseHeadParserTests {
    @Test func finalHeadIsReportedAtBlankLine() throws {
        var parser = ResponseHeadParser()
        let events = try parser.take([
            "HTTP/1.1 200 All is well\r\n", "Content-Type: text/plain\r\n", "\r\n",
        ])
        let head = try #require(events.heads.first)
        #expect(events.count == 1)
        #expect(head.statusCode == 200)
        #expect(head.status.reasonPhrase == "All is well")
        #expect(head.httpVersion == "1.1")
        #expect(head.headerFields == [.contentType: "text/plain"])
        #expect(head.httpResponse.status == .ok)
        #expect(parser.hasFinalHead == true)
        #expect(parser.trailerFields == nil)
    }

    @Test(arguments: [
        ("HTTP/2 204 \r\n", "2", 204, ""), ("HTTP/3 200 \r\n", "3", 200, ""),
        ("HTTP/1.0 404\r\n", "1.0", 404, ""), ("HTTP/1.1 999 x\n", "1.1", 999, "x"),
        ("HTTP/1.1 200 \r\n", "1.1", 200, ""), ("HTTP/1.1 301 a  b \r\n", "1.1", 301, "a  b "),
    ])
    func statusLineHasVersionCodeAndPhrase(
        line: String,
        version: String,
        code: Int,
        phrase: String
    ) throws {
        var parser = ResponseHeadParser()
        let head = try #require(try parser.take([line, "\r\n"]).heads.first)
        #expect(head.httpVersion == version)
        #expect(head.status.code == code)
        #expect(head.status.reasonPhrase == phrase)
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH\r\n", "HTTP/1.1\r\n", "HTTP/1.1 20\r\n", "HTTP/1.1 2000\r\n",
        "HTTP/1.1 099 x\r\n", "HTTP/x 200\r\n", "http/1.1 200 OK\r\n", "HTTP/1.1 2x0 OK\r\n",
        "\r\n", "A: b\r\n", "HTTP/1. 200 OK\r\n", "HTTP/1.1200 OK\r\n", "HTTP/2 200x\r\n",
    ])
    func invalidStatusLineIsAnError(line: String) {
        var parser = ResponseHeadParser()
        let error = #expect(throws: TransportError.self) { try parser.take([line]) }
        #expect(error?.code == .invalidResponse)
    }

    @Test func headsKeepTheirBytesWhenMemoryIsReused() throws {
        var memory: [UInt8] = []
        var heads: [ResponseHead] = []
        for number in 0..<3 {
            var parser = ResponseHeadParser()
            parser.borrow(&memory)
            let lines = ["HTTP/1.1 20\(number) OK\r\n", "A: \(number)\r\n", "\r\n"]
            heads += try parser.take(lines).heads
            parser.returnMemory(to: &memory)
            #expect(memory.isEmpty)
            #expect(memory.capacity > 0)
        }
        #expect(heads.map(\.statusCode) == [200, 201, 202])
        #expect(heads.map { $0.headerFields.first?.value } == ["0", "1", "2"])
    }

    @Test func memoryOfHugeHeadIsReleased() throws {
        var parser = ResponseHeadParser()
        let value = String(repeating: "v", count: 100_000)
        let heads = try parser.take(["HTTP/1.1 200 OK\r\n", "A: \(value)\r\n", "\r\n"]).heads
        #expect(heads.first?.bytes.count == 100_024)
        var memory: [UInt8] = []
        parser.returnMemory(to: &memory)
        #expect(memory.capacity == 0)
    }

    @Test func informationalHeadsPrecedeFinalHead() throws {
        var parser = ResponseHeadParser()
        let events = try parser.take([
            "HTTP/1.1 100 Continue\r\n", "\r\n", "HTTP/1.1 103 Early Hints\r\n", "Server: a\r\n",
            "\r\n", "HTTP/1.1 200 OK\r\n", "A: b\r\n", "\r\n",
        ])
        #expect(events.informationals.map(\.statusCode) == [100, 103])
        #expect(events.informationals.last?.firstValue(of: .server) == "a")
        #expect(events.heads.map(\.statusCode) == [200])
        #expect(events.heads.first?.headerFields.count == 1)
    }

    @Test func switchingProtocolsIsFinal() throws {
        var parser = ResponseHeadParser()
        let events = try parser.take(["HTTP/1.1 101 Switching\r\n", "\r\n"])
        #expect(events.heads.map(\.statusCode) == [101])
    }

    @Test func fieldsAfterFinalHeadAreTrailers() throws {
        var parser = ResponseHeadParser()
        let events = try parser.take([
            "HTTP/1.1 200 OK\r\n", "\r\n", "Digest: x\r\n", " y\r\n", "Expires: 0\r\n", "\r\n",
        ])
        #expect(events.heads.count == 1)
        let trailers = try #require(parser.trailerFields)
        #expect(trailers.map { "\($0)" } == ["Digest: x y", "Expires: 0"])
    }

    @Test func newStatusLineReplacesFinalHead() throws {
        var parser = ResponseHeadParser()
        let events = try parser.take([
            "HTTP/1.1 401 Unauthorized\r\n", "\r\n", "T: x\r\n", "HTTP/1.1 200 OK\r\n",
        ])
        #expect(events.restarts == 1)
        #expect(parser.hasFinalHead == false)
        let more = try parser.take(["\r\n"])
        #expect(more.heads.map(\.statusCode) == [200])
        #expect(parser.trailerFields == nil)
    }

    @Test("A parser fails at the 21st repetition of a request")
    func repetitionsAreLimited() throws {
        var parser = ResponseHeadParser()
        for _ in 0...20 { _ = try parser.take(["HTTP/1.1 401 x\r\n", "\r\n"]) }
        #expect(parser.hasFinalHead)
        let error = #expect(throws: TransportError.self) {
            try parser.take(["HTTP/1.1 401 x\r\n"])
        }
        #expect(error?.code == .authenticationFailed)
    }

    @Test func statusLineInTrailersFailsWithoutRestart() throws {
        var parser = ResponseHeadParser(allowsRestart: false)
        _ = try parser.take(["HTTP/1.1 200 OK\r\n", "\r\n", "T: x\r\n"])
        let error = #expect(throws: TransportError.self) {
            try parser.take(["HTTP/1.1 200 OK: x\r\n"])
        }
        #expect(error?.code == .invalidResponse)
        var upgraded = ResponseHeadParser(allowsRestart: false)
        let events = try upgraded.take([
            "HTTP/1.1 101 x\r\n", "\r\n", "HTTP/2 200 \r\n", "\r\n",
        ])
        #expect(events.heads.map(\.statusCode) == [101, 200])
    }

    @Test func fieldsKeepOrderDuplicatesAndBytes() throws {
        var parser = ResponseHeadParser()
        let latin = Array("X-Latin: caf".utf8) + [0xe9, 13, 10]
        let lines = [
            "HTTP/1.1 200 OK\r\n", "Set-Cookie: a=1\r\n", "Content-Length:2\r\n",
            "set-cookie:\tb=2 \t\r\n", "Empty:\r\n", "Utf: ü\r\n", "A:b:c\n",
        ].map { Array($0.utf8) }
        let head = try #require(
            try parser.take(lines + [latin, [13, 10]]).heads.first
        )
        let fields = head.headerFields
        #expect(fields[values: .setCookie] == ["a=1", "b=2"])
        #expect(fields[.contentLength] == "2")
        #expect(fields.map(\.name.rawName).first == "Set-Cookie")
        #expect(fields[values: try #require(HTTPField.Name("Empty"))] == [""])
        #expect(head.firstValue(of: try #require(HTTPField.Name("utf"))) == "ü")
        #expect(head.firstValue(of: try #require(HTTPField.Name("a"))) == "b:c")
        #expect(head.firstValueBytes(of: try #require(HTTPField.Name("x-latin")))?.last == 0xe9)
        #expect(head.firstValue(of: .setCookie) == "a=1")
        #expect(head.firstValue(of: .location) == nil)
        #expect(head.bytes.count == lines.joined().count + latin.count + 2)
    }

    @Test func foldedFieldsAreJoinedByASpace() throws {
        var parser = ResponseHeadParser()
        let head = try #require(
            try parser.take([
                "HTTP/1.1 200 OK\r\n", "X: a \r\n", "  b\r\n", "\tc\t\r\n", " \r\n", "Y: d\r\n",
                "\r\n",
            ]).heads.first
        )
        let name = try #require(HTTPField.Name("X"))
        #expect(head.firstValue(of: name) == "a b c")
        #expect(head.headerFields[name] == "a b c")
        #expect(head.headerFields.count == 2)
    }

    @Test(arguments: [
        (["A: b\r\n", "no colon\r\n"], 3), ([" folded\r\n"], 2), (["A : b\r\n"], 2),
        ([": b\r\n"], 2), (["A: b\r\n", "A: b\r\n", "é: b\r\n"], 4), (["\0\r\n"], 2),
        (["A\u{1}: b\r\n"], 2), (["HTTP/1.1 200 OK\r\n"], 2),
    ])
    func errorNamesNumberOfInvalidLine(lines: [String], number: Int) {
        var parser = ResponseHeadParser()
        let error = #expect(throws: TransportError.self) {
            try parser.take(["HTTP/1.1 200 OK\r\n"] + lines)
        }
        #expect(error?.code == .invalidResponse)
        #expect(error?.message.contains("line \(number) ") == true)
    }

    @Test func fieldCountLimitIsEnforced() throws {
        var parser = ResponseHeadParser(limits: ResponseHeadLimits(maximumFieldCount: 3))
        _ = try parser.take(["HTTP/1.1 200 OK\r\n", "A: b\r\n", "A: b\r\n", "A: b\r\n", " c\r\n"])
        var other = parser
        #expect(try parser.take(["\r\n"]).heads.count == 1)
        let error = #expect(throws: TransportError.self) { try other.take(["A: b\r\n"]) }
        #expect(error?.code == .responseHeadTooLarge)
    }

    @Test func seventyThousandFieldsFailWithoutTrap() {
        var parser = ResponseHeadParser(
            limits: ResponseHeadLimits(maximumFieldCount: .max, maximumBytes: .max)
        )
        let error = #expect(throws: TransportError.self) {
            try parser.take(
                ["HTTP/1.1 200 OK\r\n"] + Array(repeating: "A: b\r\n", count: 70_000) + ["\r\n"]
            )
        }
        #expect(error?.code == .responseHeadTooLarge)
    }

    @Test func maximumFieldCountIsParsed() throws {
        var parser = ResponseHeadParser(
            limits: ResponseHeadLimits(maximumFieldCount: .max, maximumBytes: .max)
        )
        let head = try parser.take(
            ["HTTP/1.1 200 OK\r\n"] + Array(repeating: "A: b\r\n", count: 65_000) + ["\r\n"]
        ).heads.first
        #expect(head?.headerFields.count == 65_000)
    }

    @Test func byteLimitCountsAllHeads() throws {
        var parser = ResponseHeadParser(limits: ResponseHeadLimits(maximumBytes: 100))
        let informational = ["HTTP/1.1 103 Early Hints\r\n", "A: b\r\n", "\r\n"]  // 34 bytes
        _ = try parser.take(informational + informational)
        let error = #expect(throws: TransportError.self) { try parser.take(informational) }
        #expect(error?.code == .responseHeadTooLarge)
    }

    @Test func informationalHeadLimitIsEnforced() {
        var parser = ResponseHeadParser()
        var count = 0
        let error = #expect(throws: TransportError.self) {
            while count < 1_000 {
                _ = try parser.take(["HTTP/1.1 100 \r\n", "\r\n"])
                count += 1
            }
        }
        #expect(count == 100)
        #expect(error?.code == .responseHeadTooLarge)
    }

    @Test func parserRejectsLinesAfterFailure() {
        var parser = ResponseHeadParser()
        let first = #expect(throws: TransportError.self) { try parser.take(["nonsense\r\n"]) }
        let second = #expect(throws: TransportError.self) {
            try parser.take(["HTTP/1.1 200 OK\r\n"])
        }
        #expect(first == second)
    }

    @Test func lineWithoutBytesIsIgnored() throws {
        var parser = ResponseHeadParser()
        #expect(try parser.take([""]).isEmpty)
        #expect(try parser.take(["HTTP/1.1 200 OK\r\n", "", "\r\n"]).heads.count == 1)
    }

    @Test func negativeLimitsAllowNothing() {
        var parser = ResponseHeadParser(
            limits: ResponseHeadLimits(maximumFieldCount: -1, maximumBytes: -1)
        )
        #expect(throws: TransportError.self) { try parser.take(["HTTP/1.1 200 OK\r\n"]) }
    }
}
