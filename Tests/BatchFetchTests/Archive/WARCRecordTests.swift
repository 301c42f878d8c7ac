import CurlTransport
import HTTPTypes
import Testing

@testable import BatchFetch

/// The heads of WARC records, and those of the requests and responses in them.
@Suite struct WARCRecordTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private func responseHead(
        _ fields: [String],
        requestFields: HTTPFields = [:]
    ) throws -> String {
        let request = HTTPRequest(
            method: .get,
            scheme: "https",
            authority: "h",
            path: "/",
            headerFields: requestFields
        )
        let head = try ArchiveSamples.head(fields)
        return text(WARCExchange.responseHead(head, answering: request))
    }

    @Test func recordHeadEndsWithItsLengthAndABlankLine() {
        var record = WARCRecord(type: "response", date: "2026-11-22T16:04:12.123456Z")
        record.add("WARC-Target-URI", "https://h/a")
        record.add("WARC-Truncated", nil)
        #expect(
            text(record.bytes(blockLength: 1 << 40)) == """
                WARC/1.1\r
                WARC-Type: response\r
                WARC-Record-ID: \(record.id)\r
                WARC-Date: 2026-11-22T16:04:12.123456Z\r
                WARC-Target-URI: https://h/a\r
                Content-Length: 1099511627776\r
                \r\n
                """
        )
    }

    @Test func eachRecordHasItsOwnURN() {
        let ids = (0..<100).map { _ in WARCRecord(type: "request", date: "").id }
        #expect(Set(ids).count == 100)
        for id in ids {
            #expect(
                id.wholeMatch(of: #/<urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}>/#) != nil
            )
        }
    }

    @Test(arguments: [
        "https://h/\r\nWARC-Type: forged", "https://h/\nWARC-Type: forged",
        "https://h/\rWARC-Type: forged", "https://h/\0\u{1}\u{1F}WARC-Type: forged",
    ])
    func valueWithALineEndAddsNoField(value: String) {
        var record = WARCRecord(type: "response", date: "now")
        record.add("WARC-Target-URI", value)
        let lines = text(record.bytes(blockLength: 0)).split(separator: "\r\n")
        #expect(lines.count == 6)
        #expect(lines[4] == "WARC-Target-URI: https://h/WARC-Type: forged")
    }

    @Test func valueThatIsNotASCIIStays() {
        var record = WARCRecord(type: "response", date: "now")
        record.add("WARC-Target-URI", "https://h/é\t😀")
        #expect(text(record.bytes(blockLength: 0)).contains("WARC-Target-URI: https://h/é😀\r\n"))
    }

    @Test func responseHeadIsStoredAsReceived() throws {
        let fields = ["set-cookie: a=b", "X-Odd:  two  spaces ", "Transfer-Encodings: x", "Empty:"]
        #expect(
            try responseHead(fields)
                == (["HTTP/1.1 200 OK"] + fields + ["", ""]).joined(separator: "\r\n")
        )
    }

    /// The body is stored without its chunks, so a reader must not look for them.
    @Test(arguments: ["Transfer-Encoding", "transfer-encoding", "TRANSFER-ENCODING"])
    func transferCodingIsRenamedInAnyLetterCase(name: String) throws {
        let head = try responseHead(["\(name): chunked", "A: b"])
        #expect(
            head == "HTTP/1.1 200 OK\r\nX-Archive-Orig-\(name): chunked\r\nA: b\r\n\r\n"
        )
    }

    @Test(arguments: ["Authorization", "Cookie", "X-API-Key", "X-Session"])
    func cookiesForARequestWithCredentialsAreRedacted(name: String) throws {
        let head = try responseHead(
            ["Set-Cookie: s=secret", "SET-COOKIE2:s=secret", "Set-Cookies: kept", "Last: x"],
            requestFields: [try #require(HTTPField.Name(name)): "mine"]
        )
        #expect(
            head == """
                HTTP/1.1 200 OK\r
                Set-Cookie: <redacted>\r
                SET-COOKIE2: <redacted>\r
                Set-Cookies: kept\r
                Last: x\r
                \r\n
                """
        )
    }

    @Test(arguments: [" ", "\t"])
    func foldedCookieIsRedactedInFull(space: String) throws {
        let head = try responseHead(
            ["Set-Cookie: s=a;", "\(space)session=secret", "Last: x"],
            requestFields: [.authorization: "mine"]
        )
        #expect(head == "HTTP/1.1 200 OK\r\nSet-Cookie: <redacted>\r\nLast: x\r\n\r\n")
    }

    @Test func cookiesForARequestWithoutCredentialsStay() throws {
        let head = try responseHead(
            ["Set-Cookie: s=public"],
            requestFields: [.acceptLanguage: "de", .referer: "https://h/session"]
        )
        #expect(head.contains("\r\nSet-Cookie: s=public\r\n"))
    }

    @Test func requestHeadHasTheFieldsThatLibcurlAdds() {
        let request = HTTPRequest(method: .get, scheme: "http", authority: "h:8080", path: nil)
        #expect(
            text(WARCExchange.requestHead(request)) == """
                GET / HTTP/1.1\r
                Host: h:8080\r
                User-Agent: \(TransferOptions.defaultUserAgent)\r
                Accept: */*\r
                \r\n
                """
        )
    }

    @Test func requestHeadHasOwnFieldsOnceAndNoCredentials() throws {
        let fields: HTTPFields = [
            .userAgent: "mine/1", .accept: "text/html", .authorization: "Bearer secret",
            .cookie: "id=secret", .acceptLanguage: "de",
        ]
        let request = HTTPRequest(
            method: .put,
            scheme: "https",
            authority: "h",
            path: "/a?b=c",
            headerFields: fields
        )
        let lines = text(WARCExchange.requestHead(request)).split(
            separator: "\r\n",
            omittingEmptySubsequences: false
        )
        #expect(lines.first == "PUT /a?b=c HTTP/1.1")
        #expect(
            lines.sorted() == [
                "", "", "Accept-Language: de", "Accept: text/html", "Authorization: <redacted>",
                "Cookie: <redacted>", "Host: h", "PUT /a?b=c HTTP/1.1", "User-Agent: mine/1",
            ]
        )
    }

    @Test(arguments: [("1.0", "http/1.0"), ("1.1", "http/1.1"), ("2", "h2"), ("3", "h3")])
    func protocolHasItsRegisteredName(version: String, name: String) throws {
        let head = try ArchiveSamples.head(version: version)
        #expect(WARCExchange.protocolName(head.httpVersion) == name)
    }
}
