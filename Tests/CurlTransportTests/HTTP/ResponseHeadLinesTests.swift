internal import HTTPTypes
internal import Testing

@testable internal import CurlTransport

@Suite struct ResponseHeadLinesTests {
    private func head(_ lines: [[UInt8]]) throws -> ResponseHead {
        var parser = ResponseHeadParser()
        return try #require(try parser.take(lines).heads.first)
    }

    private func head(_ lines: String...) throws -> ResponseHead {
        try head((["HTTP/1.1 200 OK"] + lines + [""]).map { Array(($0 + "\r\n").utf8) })
    }

    @Test func namesAndValuesAreUnchanged() throws {
        let lines = try head("Content-TYPE:text/plain", "x-a:  1 ", "X-A: 2", "Empty:").fieldLines
        #expect(lines.map(\.name) == ["Content-TYPE", "x-a", "X-A", "Empty"])
        #expect(lines.map(\.value) == ["text/plain", "1", "2", ""])
    }

    @Test func nonUTF8ValueIsReadAsLatin1() throws {
        let lines = try head([
            Array("HTTP/1.1 200 OK\r\n".utf8),
            Array("A: caf".utf8) + [0xE9, 13, 10],
            Array("B: café\r\n".utf8),
            [13, 10],
        ]).fieldLines
        #expect(lines.map(\.value) == ["café", "café"])
    }

    @Test func headRecordsSetCookie() throws {
        #expect(try head("set-COOKIE: a=b").setsCookies)
        #expect(try !head("Set-Cookie2: a=b", "X-Set-Cookie: a", "Set-Cooki: a").setsCookies)
        #expect(try head("Content-Encoding: gzip").isEncoded)
        #expect(try !head("Content-Length: 1").isEncoded)
    }

    @Test func severalFieldsAreFoundInOnePass() throws {
        let names = FieldNameSet(["etag", "date", "x-long", "empty", "vary"])
        let head = try head(
            "Date:  today ",
            "Etags: no",
            "eTaG: \"1\"",
            "X-Long: one",
            " etag: two",
            "\tthree",
            "ETag: \"2\"",
            "Empty:",
            "DATE: later",
            "Dat: no"
        )
        let expected = ["\"1\"", "today", "one etag: two three", "", nil]
        #expect(head.firstValues(of: names) == expected)
        for (name, value) in zip(["etag", "date", "x-long", "empty", "vary"], expected) {
            #expect(head.firstValue(of: try #require(HTTPField.Name(name))) == value)
        }
        #expect(try self.head().firstValues(of: names) == [nil, nil, nil, nil, nil])
    }
}
