import CCurl
import TestSupport
import Testing

@testable import Curl

/// What a handle that has served a transfer does with the first field of its next response.
@Suite(.timeLimit(.minutes(10))) struct FirstFieldGuardTests {
    private static let ordinary = "HTTP/1.1 200 OK\r\nX-Last: value\r\nContent-Length: 2\r\n\r\nok"
    private static let long = String(repeating: "b", count: 300)
    private static let rest = "Content-Length: 2\r\n\r\nok"

    /// Runs a transfer of `url` with `easy`.
    private func run(
        _ url: String,
        with easy: borrowing EasyHandle,
        in loop: borrowing TestLoop,
        isVerbose: Bool = false
    ) throws -> RecordedTransfer {
        let transfer = RecordedTransfer(loop.events)
        easy.attach(transfer, token: 1)
        try easy.set(.url, url)
        try easy.set(.verbose, isVerbose)
        #expect(try loop.run(easy) == .ok)
        easy.detach()
        return transfer
    }

    /// The fields that libcurl has stored of the handle's last transfer.
    private func storedFields(of easy: borrowing EasyHandle) -> [String] {
        var fields: [String] = []
        var last: UnsafeMutablePointer<curl_header>?
        let handle = unsafe UnsafeMutableRawPointer(easy.pointer)
        let kinds = UInt32(CURLH_HEADER | CURLH_1XX | CURLH_TRAILER)
        while let header = unsafe curl_easy_nextheader(handle, kinds, -1, last) {
            unsafe fields.append(
                "\(String(cString: header.pointee.name)): \(String(cString: header.pointee.value))"
            )
            unsafe last = header
        }
        return fields
    }

    /// Heads whose first field line is folded, and the fields after it that libcurl stores.
    private static let foldedHeads: [(head: String, fields: [String])] = [
        ("HTTP/1.1 200 OK\r\n a:\(long)\r\n", []),
        ("HTTP/1.1 200 OK\r\n\ta:\(long)\r\n b:c\r\n", []),
        ("HTTP/1.1 200 OK\r\n :\r\n", []),
        ("HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\n a:\(long)\r\n", []),
        ("HTTP/1.1 103 Early\r\n\r\nhttp/1.1 200 OK\r\n a:\(long)\r\n", []),
        ("HTTP/1.1 103 Early\r\n\r\nHtTp/1.1 200 OK\r\n a:\(long)\r\n", []),
        ("HTTP/1.1 103 Early\r\n a:\(long)\r\n\r\nHTTP/1.1 200 OK\r\n", []),
        ("HTTP/1.1 200 OK\r\nHTTP/x: y\r\nA: b\r\n", ["HTTP/x: y", "A: b"]),
        ("HTTP/1.1 200 OK\r\nA: b\r\n c\r\n", ["A: b c"]),
    ]

    @Test(
        "A folded first line isn't stored, and is delivered as it was sent",
        .enabled(if: CurlVersion.current.keepsFreedField),
        arguments: foldedHeads,
        [false, true]
    )
    func foldedFirstLineIsNotStored(
        _ answer: (head: String, fields: [String]),
        isVerbose: Bool
    ) throws {
        let folded = answer.head + Self.rest
        let server = try LoopbackServer.scripted(
            [Self.ordinary, folded, Self.ordinary].flatMap { [.readHead, .send($0)] }
        )
        let loop = try TestLoop()
        let easy = try loop.makeHandle(server.url, RecordedTransfer(loop.events))
        _ = try run(server.url, with: easy, in: loop)
        #expect(storedFields(of: easy) == ["X-Last: value", "Content-Length: 2"])
        let second = try run(server.url, with: easy, in: loop, isVerbose: isVerbose)
        #expect(second.headerLines.joined() + second.bodyText == folded)
        #expect(storedFields(of: easy) == answer.fields + ["Content-Length: 2"])
        if isVerbose { #expect(!second.logged(.headerReceived).contains("\ra:")) }
        let third = try run(server.url, with: easy, in: loop)
        #expect(third.headerLines.joined() + third.bodyText == Self.ordinary)
    }

    @Test("A reused handle logs nothing, unless its owner wants the log")
    func reusedHandleLogsWhatItsOwnerWants() throws {
        let server = try LoopbackServer.scripted(
            (0..<4).flatMap { _ in [.readHead, .send(Self.ordinary)] }
        )
        let loop = try TestLoop()
        let easy = try loop.makeHandle(server.url, RecordedTransfer(loop.events))
        for isVerbose in [false, false, true, false] {
            let transfer = try run(server.url, with: easy, in: loop, isVerbose: isVerbose)
            #expect(transfer.headerLines.joined() + transfer.bodyText == Self.ordinary)
            #expect(transfer.log.isEmpty != isVerbose)
            let logged = transfer.logged(.headerReceived)
            #expect(logged == (isVerbose ? transfer.headerLines.joined() : ""))
        }
    }

    @Test("A response that ends before its first field leaves nothing to the next")
    func responseWithoutFieldLeavesNothing() throws {
        let server = try LoopbackServer.scripted { connection in
            connection == 0
                ? [
                    .readHead, .send(Self.ordinary), .readHead,
                    .send("HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 204 None\r\n\r\n"), .readHead,
                    .send("HTTP/1.1 200 OK\r\n\r\nbody"), .close,
                ] : [.readHead, .send(Self.ordinary)]
        }
        let loop = try TestLoop()
        let easy = try loop.makeHandle(server.url, RecordedTransfer(loop.events))
        _ = try run(server.url, with: easy, in: loop)
        let empty = try run(server.url, with: easy, in: loop)
        #expect(empty.headerLines.count == 4)
        let plain = try run(server.url, with: easy, in: loop)
        #expect(plain.headerLines == ["HTTP/1.1 200 OK\r\n", "\r\n"] && plain.bodyText == "body")
        let last = try run(server.url, with: easy, in: loop)
        #expect(last.headerLines.joined() + last.bodyText == Self.ordinary)
        #expect(last.log.isEmpty)
    }
}
