import Posix
import TestSupport
import Testing

@testable import Curl

/// Options as the server and the connection show them.
@Suite(.timeLimit(.minutes(10))) struct OptionOnTheWireTests {
    @Test(
        "Each setting changes the request line or a header field",
        arguments: [
            ([.flag(.noBody, true)], "HEAD /a/../b HTTP/1.1", nil),
            ([.text(.customRequest, "PURGE")], "PURGE /a/../b HTTP/1.1", nil),
            (
                [.text(.requestTarget, "*"), .text(.customRequest, "OPTIONS")],
                "OPTIONS * HTTP/1.1", nil
            ),
            ([.text(.userAgent, "me/1")], "GET /a/../b HTTP/1.1", "User-Agent: me/1"),
            ([.text(.acceptEncoding, "gzip")], "GET /a/../b HTTP/1.1", "Accept-Encoding: gzip"),
            ([.bytes(.copyPostFields, [0x61])], "POST /a/../b HTTP/1.1", "Content-Length: 1"),
            (
                [
                    .number(.httpAuth, EasyValue.Authentication.basic), .text(.userName, "u"),
                    .text(.password, "p"),
                ], "GET /a/../b HTTP/1.1", "Authorization: Basic dTpw"
            ),
            (
                [
                    .number(.httpAuth, EasyValue.Authentication.bearer),
                    .text(.bearerToken, "t"),
                ], "GET /a/../b HTTP/1.1", "Authorization: Bearer t"
            ),
        ] as [([EasySetting], String, String?)]
    )
    func settingChangesTheRequest(settings: [EasySetting], line: String, field: String?) throws {
        let server = try LoopbackServer { _ in .text("x") }
        let loop = try TestLoop()
        let easy = try loop.makeHandle("\(server.url)/a/../b", RecordedTransfer(loop.events))
        try easy.set([.flag(.pathAsIs, true)] + settings)
        #expect(try loop.run(easy) == .ok)
        let request = try #require(server.requests.first)
        #expect("\(request.method) \(request.target) \(request.version)" == line)
        if let field { #expect(request.headerLines.contains(field), "\(request.headerLines)") }
    }

    @Test("A redirect is followed only on request, and then to permitted schemes")
    func redirectIsFollowedOnRequest() throws {
        let server = try LoopbackServer { $0.target == "/" ? .redirect(to: "/next") : .text("end") }
        for follows in [false, true] {
            let loop = try TestLoop()
            let transfer = RecordedTransfer(loop.events)
            let easy = try loop.makeHandle("\(server.url)/", transfer)
            try easy.set(.followLocation, follows)
            #expect(try loop.run(easy) == .ok)
            #expect(transfer.bodyText == (follows ? "end" : ""))
            #expect(
                transfer.headerLines.filter { $0.hasPrefix("HTTP/") }.count == (follows ? 2 : 1)
            )
        }
        let elsewhere = try LoopbackServer { _ in .redirect(to: "file:///etc/hostname") }
        let loop = try TestLoop()
        let transfer = RecordedTransfer(loop.events)
        let easy = try loop.makeHandle(elsewhere.url, transfer)
        try easy.set([
            .flag(.followLocation, true), .number(.redirectProtocols, EasyValue.Scheme.http),
        ])
        #expect(try loop.run(easy) == .unsupportedProtocol)
        #expect(transfer.body == [])
    }

    @Test("A scheme that isn't permitted is never requested")
    func forbiddenSchemeIsNotRequested() throws {
        let server = try LoopbackServer { _ in .text("x") }
        let loop = try TestLoop()
        let transfer = RecordedTransfer(loop.events)
        let easy = try loop.makeHandle(server.url, transfer)
        try easy.set(.protocols, EasyValue.Scheme.https)
        #expect(try loop.run(easy) == .unsupportedProtocol)
        #expect(transfer.opened == [] && server.acceptedConnectionCount == 0)
    }

    @Test("A connection to a unix socket has no local address and no local port")
    func unixSocketHasNoLocalAddress() throws {
        let folder = try TemporaryDirectory()
        var options = ServerOptions()
        options.address = .unix(path: folder.path("socket"))
        let server = try LoopbackServer(options: options) { .text($0.header("Host") ?? "") }
        let loop = try TestLoop()
        let transfer = RecordedTransfer(loop.events)
        let easy = try loop.makeHandle("http://name.test/", transfer)
        try easy.set(.unixSocketPath, folder.path("socket"))
        #expect(try loop.run(easy) == .ok)
        #expect(transfer.bodyText == "name.test" && server.requestCount == 1)
        let ends = try #require(transfer.ends.first)
        #expect(ends.local.text == "" && ends.localPort == 0)
        // libcurl reports the beginning of the path as the remote address, or nothing.
        #expect(folder.path("socket").hasPrefix(ends.remote.text))
    }

    @Test("The options that forbid reuse make each transfer open a connection")
    func reuseDependsOnTheOptions() throws {
        let cases: [([EasySetting], Int)] = [
            ([], 1), ([.flag(.forbidReuse, true)], 3), ([.flag(.freshConnect, true)], 3),
        ]
        for (settings, count) in cases {
            let server = try LoopbackServer { _ in .text("x") }
            let loop = try TestLoop()
            for _ in 0..<3 {
                let easy = try loop.makeHandle(server.url, RecordedTransfer(loop.events))
                try easy.set(settings)
                #expect(try loop.run(easy) == .ok)
            }
            #expect(server.acceptedConnectionCount == count)
        }
    }

    @Test("A response of HTTP/0.9 is accepted only on request")
    func oldVersionIsAcceptedOnRequest() throws {
        for isAllowed in [true, false] {
            let server = try LoopbackServer.scripted([.readHead, .send("no head at all"), .close])
            let loop = try TestLoop()
            let transfer = RecordedTransfer(loop.events)
            let easy = try loop.makeHandle(server.url, transfer)
            try easy.set(.http09Allowed, isAllowed)
            #expect(try loop.run(easy) == (isAllowed ? .ok : .unsupportedProtocol))
            #expect(transfer.bodyText == (isAllowed ? "no head at all" : ""))
        }
    }

    @Test("A response that ends too early has libcurl's code for it", arguments: [true, false])
    func earlyEndHasItsCode(hasHead: Bool) throws {
        let head = hasHead ? "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf" : ""
        let server = try LoopbackServer.scripted([.readHead, .send(head), .close])
        let loop = try TestLoop()
        let transfer = RecordedTransfer(loop.events)
        let easy = try loop.makeHandle(server.url, transfer)
        #expect(try loop.run(easy) == (hasHead ? .partialFile : .gotNothing))
        #expect(transfer.bodyText == (hasHead ? "half" : ""))
        #expect(easy.errorText.isEmpty == false)
    }
}
