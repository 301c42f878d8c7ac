import TestSupport
import Testing

@testable import Curl

/// Options of handles: what libcurl refuses, and what reaches the server.
@Suite(.timeLimit(.minutes(10))) struct HandleOptionTests {
    private func failure(_ settings: [EasySetting]) throws -> EasyOptionFailure? {
        let loop = try TestLoop()
        let easy = try EasyHandle(for: loop.multi)
        return #expect(throws: EasyOptionFailure.self) { try easy.set(settings) }
    }

    @Test("The error of a refused option has its name and libcurl's code")
    func refusedOptionHasItsName() throws {
        let localPort = try failure([.number(.localPort, 70_000)])
        #expect(localPort?.option == "LOCALPORT" && localPort?.code == .badFunctionArgument)
        let version = try failure([.number(.sslVersion, 1000)])
        #expect(version?.option == "SSLVERSION" && version?.code == .badFunctionArgument)
        let size = try failure([.amount(.postFieldSize, -2)])
        #expect(size?.option == "POSTFIELDSIZE_LARGE")
        let long = try failure([.text(.userAgent, String(repeating: "x", count: 9_000_000))])
        #expect(long?.option == "USERAGENT" && long?.code == .badFunctionArgument)
        let unknown = try failure([.number(EasyOption(number: 9999), 1)])
        #expect(unknown?.option == "option 9999" && unknown?.code == .unknownOption)
    }

    @Test("Settings are applied in order, until one is refused")
    func settingsAreAppliedInOrder() throws {
        let server = try LoopbackServer { _ in .text("x") }
        let loop = try TestLoop()
        let easy = try loop.makeHandle(server.url, RecordedTransfer(loop.events))
        let settings: [EasySetting] = [
            .text(.userAgent, "before"), .number(.localPort, -1), .text(.userAgent, "after"),
        ]
        #expect(throws: EasyOptionFailure.self) { try easy.set(settings) }
        #expect(try loop.run(easy) == .ok)
        #expect(server.requests.first?.header("User-Agent") == "before")
        try easy.set(.userAgent, nil)
        #expect(try loop.run(easy) == .ok)
        #expect(server.requests.last?.headers("User-Agent") == [])
    }

    @Test("Header fields are sent in order, including empty ones")
    func headerFieldsAreSentInOrder() throws {
        let server = try LoopbackServer { _ in .text("x") }
        let loop = try TestLoop()
        let easy = try loop.makeHandle(server.url, RecordedTransfer(loop.events))
        try easy.setHeaders { headers in
            headers.append(name: "X-One", value: "1")
            headers.append(name: "X-Empty", value: "")
            headers.append("Accept:")
            headers.append(name: "X-É", value: "ü ; \"x\"")
        }
        #expect(try loop.run(easy) == .ok)
        let request = try #require(server.requests.first)
        #expect(
            request.headerLines.filter { !$0.hasPrefix("Host") }
                == ["X-One: 1", "X-Empty:", "X-É: ü ; \"x\""]
        )
    }

    /// The list's memory is moved while it grows, and kept for the next request.
    @Test("A header list of any length is sent, and the next list replaces it")
    func listOfAnyLengthIsSent() throws {
        let server = try LoopbackServer { _ in .text("x") }
        let loop = try TestLoop()
        let easy = try loop.makeHandle(server.url, RecordedTransfer(loop.events))
        for (count, length) in [(1, 1), (7, 10), (8, 10), (9, 10), (300, 30), (2, 20_000), (3, 5)] {
            let value = String(repeating: "v", count: length)
            try easy.setHeaders { headers in
                for number in 0..<count { headers.append(name: "X-\(number)", value: value) }
            }
            #expect(try loop.run(easy) == .ok)
            let lines = server.requests.last?.headerLines.filter { $0.hasPrefix("X-") }
            #expect(lines == (0..<count).map { "X-\($0): \(value)" }, "\(count) of \(length)")
        }
        try easy.setHeaders { _ in }
        #expect(try loop.run(easy) == .ok)
        #expect(server.requests.last?.headerLines.contains { $0.hasPrefix("X-") } == false)
    }

    @Test("A parsed URL replaces the handle's former URL")
    func parsedURLReplacesATextAndAnother() throws {
        let server = try LoopbackServer { .text($0.target) }
        let loop = try TestLoop()
        let easy = try loop.makeHandle("\(server.url)/text", RecordedTransfer(loop.events))
        #expect(try loop.run(easy) == .ok)
        let first = try CurlURL(parsing: "\(server.url)/parsed/../x?y")
        let second = try CurlURL(parsing: "\(server.url)?z")
        try easy.set(.pathAsIs, true)
        try easy.set(url: first)
        #expect(try loop.run(easy) == .ok)
        try easy.set(url: second)
        #expect(try loop.run(easy) == .ok)
        #expect(server.requests.map(\.target) == ["/text", "/parsed/../x?y", "/?z"])
        extendLifetime(first)
        extendLifetime(second)
    }

    @Test("The handle's lists replace a host's address and the connection's target")
    func listsReplaceAddresses() throws {
        let server = try LoopbackServer { .text($0.header("Host") ?? "") }
        let loop = try TestLoop()
        let resolved = RecordedTransfer(loop.events)
        let first = try loop.makeHandle("http://one.test:\(server.port)/", resolved)
        try first.set(resolve: ["one.test:\(server.port):127.0.0.1"])
        #expect(try loop.run(first) == .ok)
        #expect(resolved.bodyText == "one.test:\(server.port)")
        let connected = RecordedTransfer(loop.events)
        let second = try loop.makeHandle("http://two.test/", connected)
        try second.set(connectTo: ["two.test:80:127.0.0.1:\(server.port)"])
        #expect(try loop.run(second) == .ok)
        #expect(connected.bodyText == "two.test")
        #expect(connected.ends.first?.remotePort == server.port)
    }

    @Test("A proxy gets its own header fields with CONNECT")
    func proxyGetsItsOwnHeaders() throws {
        let proxy = try LoopbackServer { _ in .status(403) }
        let loop = try TestLoop()
        let easy = try loop.makeHandle("http://one.test/", RecordedTransfer(loop.events))
        try easy.set([.text(.proxy, proxy.url), .flag(.httpProxyTunnel, true)])
        try easy.setHeaders { $0.append(name: "X-Server", value: "secret") }
        // CURLHEADER_SEPARATE: each side gets its own.
        try easy.set(.headerOptions, 1)
        try easy.set(proxyHeaders: ["X-Proxy: yes"])
        #expect(try loop.run(easy) == .recvError || easy.get(.httpConnectCode) == 403)
        let request = try #require(proxy.requests.first)
        #expect(request.method == "CONNECT" && request.target == "one.test:80")
        #expect(request.header("X-Proxy") == "yes" && request.header("X-Server") == nil)
    }

    @Test("A range of TLS versions has libcurl's numeric value")
    func versionRangeIsLibcurlsNumber() throws {
        let version = EasyValue.TLSVersion.self
        #expect(version.range(from: version.v1_0, to: version.v1_3) == 4 | 7 << 16)
        let loop = try TestLoop()
        let easy = try EasyHandle(for: loop.multi)
        for minimum in [version.v1_0, version.v1_2] {
            for maximum in [version.v1_2, version.v1_3] {
                try easy.set(.sslVersion, version.range(from: minimum, to: maximum))
            }
        }
        #expect(EasyValue.Authentication.basic | EasyValue.Authentication.bearer == 65)
    }

    @Test("Multi handle options are accepted, and unknown handles refused")
    func multiOptionsAreAccepted() throws {
        let loop = try TestLoop()
        #expect(loop.multi.set(.pipelining, 2) == .ok)
        #expect(loop.multi.set(.maxConnects, 3) == .ok)
        #expect(loop.multi.set(.maxConcurrentStreams, 100) == .ok)
        let share = try ShareHandle()
        let easy = try EasyHandle(for: loop.multi)
        try easy.set(share: share)
        #expect(easy.pause(receiving: true, sending: true) != .unknownOption)
    }

    @Test("More idle connections than the limit are closed")
    func idleConnectionsAreLimited() throws {
        let servers = try (0..<3).map { _ in try LoopbackServer { _ in .text("x") } }
        let loop = try TestLoop()
        loop.multi.set(.maxConnects, 1)
        for server in servers {
            let easy = try loop.makeHandle(server.url, RecordedTransfer(loop.events))
            #expect(try loop.run(easy) == .ok)
        }
        #expect(loop.events.closed.count == 2)
    }
}
