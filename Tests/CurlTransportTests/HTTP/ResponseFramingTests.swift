internal import Curl
internal import HTTPTypes
internal import TestSupport
internal import Testing

@testable internal import CurlTransport

/// The body length that a head announces.
///
/// The tests check it as a value and over the wire.
@Suite(.timeLimit(.minutes(10))) struct ResponseFramingTests {
    private func framing(_ lines: [String]) -> ResponseFraming {
        var framing = ResponseFraming()
        for line in lines {
            if line.first == " " || line.first == "\t" {
                framing.addContinuation()
            } else {
                let name = line.prefix { $0 != ":" }
                framing.add(Array((line + "\r\n").utf8).span, nameLength: name.utf8.count)
            }
        }
        return framing
    }

    @Test(
        arguments: [
            ([], nil),
            (["Content-Length: 0"], 0),
            (["Content-Length:5"], 5),
            (["CONTENT-length: \t5 \t"], 5),
            (["Content-Length: 007"], 7),
            (["Content-Length: 9223372036854775807"], Int64.max),
            (["Content-Length: 5, 5"], 5),
            (["Content-Length: 5,05,\t5"], 5),
            (["Content-Length: ,5,,5,"], 5),
            (["Content-Length: 5", "X: y", "content-length: 5"], 5),
            // Empty values are left to libcurl.
            (["Content-Length:"], nil),
            (["Content-Length: ,"], nil),
            // Folded lines of other fields and similar names are ignored.
            (["Content-Length: 5", "X: y", " 6"], 5),
            (["X-Content-Length: 6", "Content-Lengthy: 7", "Content-Lengti: 8"], nil),
            // A chunked coding overrides any length.
            (["Content-Length: 5", "Transfer-Encoding: chunked"], nil),
            (["Transfer-Encoding: chunked", "Content-Length: 5, 6"], nil),
            (["Transfer-Encoding: chunked", "Content-Length: x"], nil),
        ] as [([String], Int64?)]
    )
    func plainContentLengthIsAccepted(_ lines: [String], _ length: Int64?) throws {
        #expect(try framing(lines).length == length)
    }

    @Test(arguments: [
        ["Content-Length: 9223372036854775808"], ["Content-Length: 99999999999999999999999"],
        ["Content-Length: 18446744073709551621"], ["Content-Length: 12 34"],
        ["Content-Length: 12\t34"], ["Content-Length: -5"], ["Content-Length: +5"],
        ["Content-Length: 0x5"], ["Content-Length: 5x"], ["Content-Length: 5;5"],
        ["Content-Length: 5.0"], ["Content-Length: 5, x"], ["Content-Length: \"5\""],
        ["Content-Length: five"], ["Content-Length: \u{665}"],
        ["Content-Length: 5", " 6"], ["Content-Length: 5", "\t"], ["Content-Length:", " 5"],
        ["Content-Length: 5", "Content-Length: x"], ["Content-Length: x", "Content-Length: 5"],
    ])
    func malformedContentLengthIsAnError(_ lines: [String]) {
        let error = #expect(throws: TransportError.self) { try framing(lines).length }
        #expect(error?.code == .invalidResponse)
        #expect(error?.message.contains("isn't a plain number") == true)
        #expect(framing(lines).announcedLength == nil)
    }

    @Test(arguments: [
        ["Content-Length: 5, 6"], ["Content-Length: 5,5,5,6"], ["Content-Length: 6,5"],
        ["Content-Length: 5", "Content-Length: 6"], ["Content-Length: 5", "Content-Length: 5, 6"],
    ])
    func differingContentLengthsAreAnError(_ lines: [String]) {
        let error = #expect(throws: TransportError.self) { try framing(lines).length }
        #expect(error?.code == .invalidResponse)
        #expect(error?.message.contains("differ") == true)
        #expect(framing(lines).announcedLength == nil)
    }

    @Test func contentCodingsAreRecorded() {
        #expect(!framing(["Content-Length: 5"]).isEncoded)
        #expect(framing(["content-ENCODING: gzip"]).isEncoded)
        #expect(!framing(["X-Content-Encoding: gzip"]).isEncoded)
    }

    @Test("The content coding identity means no coding")
    func identityIsNoContentCoding() {
        for value in ["identity", " Identity ,\tIDENTITY", "", ","] {
            #expect(!framing(["Content-Encoding:\(value)"]).isEncoded, "\(value)")
        }
        for value in ["identity, gzip", "gzip,identity", "identit", "identityx", "x-identity"] {
            #expect(framing(["Content-Encoding: \(value)"]).isEncoded, "\(value)")
        }
        #expect(framing(["Content-Encoding: identity", " gzip"]).isEncoded)
        #expect(framing(["Content-Encoding: br", "Content-Encoding: identity"]).isEncoded)
    }

    @Test(arguments: ["Cache-Control", "ETAG", "expires", "Last-Modified"])
    func cacheFieldsAreRecorded(_ name: String) {
        #expect(framing(["A: b", "\(name): x"]).concernsCaches)
        #expect(!framing(["A: b", "X\(name): x", "\(name)y: x"]).concernsCaches)
    }

    /// Only the head can end these: the server goes silent after five bytes.
    @Test(arguments: [
        ("Content-Length: 5, 5", "hello"),
        ("Content-Length: 5,05", "hello"),
        ("Content-Length: 5\r\nContent-Length: 5", "hello"),
        ("Content-Length: 5, 6", nil),
        ("Content-Length: 6, 5", nil),
        ("Content-Length: 5\r\nContent-Length: 6", nil),
        ("Content-Length: 6\r\nContent-Length: 5", nil),
        ("Content-Length: 5\r\n 0", nil),
        ("Content-Length: 12 34", nil),
        ("Content-Length: 5 5", nil),
        ("Content-Length: 9223372036854775808", nil),
        ("Content-Length: 18446744073709551621", nil),
        ("Content-Length:", nil),
        ("Content-Length: ", nil),
        ("Content-Length: ,", nil),
    ])
    func malformedContentLengthFailsTransfer(_ lines: String, _ body: String?) async throws {
        try await expect(body, afterHead: lines)
    }

    /// Newer versions of libcurl join the lines before they deliver them (RFC 9112, section 5.2).
    @Test(arguments: ["Content-Length: 5\r\n\t", "Content-Length:\r\n 5"])
    func foldedContentLengthFailsTransferUnlessLibcurlUnfoldsIt(_ lines: String) async throws {
        try await expect(CurlVersion.current.isAtLeast(8, 17) ? "hello" : nil, afterHead: lines)
    }

    /// Expects a body, or an invalid response if `body` is nil.
    private func expect(_ body: String?, afterHead lines: String) async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\n\(lines)\r\n\r\nhello"), .stall,
        ])
        let rig = try Rig()
        let delegate = RecordingDelegate()
        try rig.start(server.url, delegate: delegate) {
            $0.timeouts = Timeouts(connect: nil, idle: nil)
        }
        #expect(try await delegate.completion()?.code == (body == nil ? .invalidResponse : nil))
        #expect(delegate.bodyText == body ?? "")
    }
}
