internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Ways to name a server, and to reach it.
@Suite(.timeLimit(.minutes(10))) struct AddressTests {
    @Test func ipv6HostFieldHasBrackets() async throws {
        var options = ServerOptions()
        options.address = .ipv6
        let server = try LoopbackServer(options: options) { _ in .text("x") }
        let delegate = try await Rig().fetch(server.url)
        #expect(server.requests[0].header("Host") == "[::1]:\(server.port)")
        #expect(delegate.metrics?.remoteAddress == "::1")
        #expect(delegate.metrics?.peer == "[::1]:\(server.port)")
    }

    @Test func errorShowsIPv6PeerWithBrackets() async throws {
        var options = ServerOptions()
        options.address = .ipv6
        let server = try LoopbackServer.scripted(options: options, [.readHead, .close])
        let rig = try Rig()
        let delegate = RecordingDelegate()
        try rig.start(server.url, delegate: delegate)
        #expect(try await delegate.failure().peer == "[::1]:\(server.port)")
    }

    @Test func localhostIsReachedOverIPv4AndIPv6() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        try await Rig().fetch("http://localhost:\(server.port)/")
        #expect(server.requests[0].header("Host") == "localhost:\(server.port)")
    }

    @Test func callersHostFieldIsSent() async throws {
        let server = try LoopbackServer { request in
            request.path == "/" ? .redirect(to: "/next") : .text("x")
        }
        let host = try #require(HTTPField.Name("Host"))
        try await Rig().fetch(server.url + "/", fields: [host: "other.example"])
        #expect(
            server.requests.map { $0.headers("Host") } == [["other.example"], ["other.example"]]
        )
    }

    @Test func connectionsUseGivenLocalPorts() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let rig = try Rig()
        var first: UInt16 = 42_000
        // Some of the ports may be in use.
        while first < 50_000 {
            let range = first...(first + 99)
            let delegate = RecordingDelegate()
            try rig.start(server.url, delegate: delegate) { $0.localPorts = range }
            if try await delegate.completion() == nil {
                let port = try #require(delegate.metrics?.localPort)
                #expect(range.contains(UInt16(port)))
                return
            }
            first += 100
        }
        Issue.record("no port was free")
    }

    @Test func missingUnixSocketIsAnError() async throws {
        let directory = try TemporaryDirectory()
        let rig = try Rig()
        let delegate = RecordingDelegate()
        try rig.start("http://localhost/", delegate: delegate) {
            $0.unixSocket = .path(directory.path("missing"))
        }
        let error = try await delegate.failure()
        #expect(error.isConnectivity)
    }
}
