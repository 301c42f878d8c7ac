import CurlTransport
import HTTPTypes
import TestSupport
import Testing

/// Transfers that may only connect to certain addresses.
///
/// All servers are on 127.0.0.1. A test that must reach one allows this address in addition; the rest
/// of 127.0.0.0/8 stays refused.
@Suite(.timeLimit(.minutes(10))) struct AddressScopeTests {
    private static let loopbackOnly = AddressScope.publicOnly.allowing(["127.0.0.1"])

    private func failure(
        _ url: String,
        _ rig: Rig,
        _ configure: (inout TransferOptions) -> Void
    ) async throws -> TransportError {
        let delegate = RecordingDelegate()
        try rig.start(url, delegate: delegate, configure)
        return try await delegate.failure()
    }

    @Test("A loopback address is refused before a connection is made, and the error says so")
    func loopbackAddressIsRefused() async throws {
        let server = try LoopbackServer { _ in .text("secret") }
        let error = try await failure("\(server.url)/a?secret", Rig()) {
            $0.addressScope = .publicOnly
        }
        #expect(error.code == .addressRefused)
        #expect(error.phase == .tcp)
        #expect(error.retry == .never)
        #expect(!error.isConnectivity)
        #expect(error.url == "\(server.url)/a")
        for part in ["127.0.0.1, a loopback address", "\(server.url)/a", "allow other addresses"] {
            #expect(error.message.contains(part), "\(part) isn't in: \(error.message)")
        }
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test("A name that resolves to refused addresses fails with the name and each address")
    func nameWithRefusedAddressesIsRefused() async throws {
        let server = try LoopbackServer { _ in .text("secret") }
        let error = try await failure("http://inside.test:\(server.port)/", Rig()) {
            $0.addressScope = .publicOnly
            $0.resolve = [
                ResolveOverride(
                    host: "inside.test",
                    port: server.port,
                    addresses: ["127.0.0.1", "10.1.2.3", "::ffff:192.168.0.1", "169.254.169.254"]
                )
            ]
        }
        #expect(error.code == .addressRefused)
        for part in ["inside.test", "127.0.0.1, a loopback", "10.1.2.3, a private", "1 more"] {
            #expect(error.message.contains(part), "\(part) isn't in: \(error.message)")
        }
        #expect(server.acceptedConnectionCount == 0)
    }

    @Test("Of a name with several addresses, an allowed one is used")
    func allowedAddressOfNameIsUsed() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        for others in [["127.0.0.9"], ["10.0.0.1", "::1"], ["fd00:ec2::254"]] {
            let delegate = try await Rig().fetch("http://both.test:\(server.port)/") {
                $0.addressScope = Self.loopbackOnly
                $0.resolve = [
                    ResolveOverride(
                        host: "both.test",
                        port: server.port,
                        addresses: others + ["127.0.0.1"]
                    )
                ]
            }
            #expect(delegate.bodyText == "ok")
        }
        #expect(server.acceptedConnectionCount == 3)
    }

    @Test("If the allowed addresses can't be connected to, the error names the refused ones, too")
    func failedConnectionNamesRefusedAddresses() async throws {
        let port = try LoopbackServer.unusedPort()
        let error = try await failure("http://both.test:\(port)/", Rig()) {
            $0.addressScope = Self.loopbackOnly
            $0.resolve = [
                ResolveOverride(
                    host: "both.test",
                    port: port,
                    addresses: ["127.0.0.9", "127.0.0.1"]
                )
            ]
        }
        #expect(error.code == .connectRefused)
        #expect(error.message.contains("127.0.0.9, a loopback address"), "\(error.message)")
    }

    @Test("Allowed networks are reached, and the rest stays refused")
    func allowedNetworkIsReached() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        for network in ["127.0.0.1", "127.0.0.0/8", "::ffff:127.0.0.1"] {
            let delegate = try await Rig().fetch(server.url) {
                $0.addressScope = .publicOnly.allowing(["fd00::/8"]).allowing([network])
            }
            #expect(delegate.bodyText == "ok")
        }
        let error = try await failure(server.url, Rig()) {
            $0.addressScope = .publicOnly.allowing(["127.0.0.2", "10.0.0.0/8"])
        }
        #expect(error.code == .addressRefused)
    }

    // MARK: Connections that are reused

    @Test("An idle connection to a refused address isn't used")
    func idleConnectionToRefusedAddressIsNotUsed() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let rig = try Rig()
        try await rig.fetch("\(server.url)/1")
        let error = try await failure("\(server.url)/2", rig) { $0.addressScope = .publicOnly }
        #expect(error.code == .addressRefused)
        #expect(error.message.contains("127.0.0.1, a loopback address"), "\(error.message)")
        // Without the scope, the server is reached as before.
        try await rig.fetch("\(server.url)/3")
        #expect(server.requests.map(\.path) == ["/1", "/3"])
    }

    @Test("A request with a body isn't sent on an idle connection to a refused address")
    func bodyIsNotSentToRefusedAddress() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let rig = try Rig()
        for body in [RequestBody.text("small"), .bytes([UInt8](repeating: 1, count: 300_000))] {
            try await rig.fetch("\(server.url)/open")
            let delegate = RecordingDelegate()
            try rig.start("\(server.url)/in", method: .post, body: body, delegate: delegate) {
                $0.addressScope = .publicOnly
            }
            #expect(try await delegate.failure().code == .addressRefused)
        }
        #expect(server.requests.allSatisfy { $0.path == "/open" })
    }

    @Test("Transfers with and without a scope share connections to an allowed address")
    func connectionToAllowedAddressIsShared() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let rig = try Rig()
        try await rig.fetch(server.url)
        try await rig.fetch(server.url) { $0.addressScope = Self.loopbackOnly }
        try await rig.fetch(server.url)
        #expect(server.acceptedConnectionCount == 1)
    }

    // MARK: Redirects and other ways

    @Test(
        "A redirect to a refused address isn't followed, however the address is written",
        arguments: ["127.0.0.2", "inside.test", "[::1]", "[::ffff:127.0.0.2]", "0.0.0.0"]
    )
    func redirectToRefusedAddressFails(host: String) async throws {
        let inside = try LoopbackServer { _ in .text("secret") }
        let outside = try LoopbackServer { _ in
            .redirect(302, to: "http://\(host):\(inside.port)/secret")
        }
        let (rig, delegate) = (try Rig(), RecordingDelegate())
        try rig.start(outside.url, delegate: delegate) {
            $0.addressScope = Self.loopbackOnly
            $0.resolve = [
                ResolveOverride(
                    host: "inside.test",
                    port: inside.port,
                    addresses: ["127.0.0.2", "::1"]
                )
            ]
        }
        #expect(try await delegate.failure().code == .addressRefused)
        #expect(outside.requests.count == 1)
        #expect(inside.acceptedConnectionCount == 0)
        withExtendedLifetime(rig) {}
    }

    @Test("A connection for bytes to a refused address fails")
    func byteConnectionToRefusedAddressFails() async throws {
        let server = try LoopbackServer { _ in .text("secret") }
        let (rig, recorder) = (try Rig(), ByteRecorder())
        try rig.connect(server.port, delegate: recorder) { $0.addressScope = .publicOnly }
        let error = try await recorder.failure()
        #expect(error.code == .addressRefused)
        #expect(error.message.contains("127.0.0.1, a loopback address"), "\(error.message)")
        #expect(server.acceptedConnectionCount == 0)
        withExtendedLifetime(rig) {}
    }

    // MARK: Options that can't be combined

    @Test("A proxy is a configuration error, because it connects to servers by itself")
    func proxyIsRefused() throws {
        var options = TransferOptions()
        options.addressScope = .publicOnly
        let proxy = ProxyServer(.http, host: "proxy.example", port: 3128)
        for policy in [
            ProxyPolicy.server(proxy), .servers(http: nil, https: proxy),
            .servers(http: proxy, https: nil, exceptions: ["*"]),
        ] {
            options.proxy = policy
            let error = try #require(throws: TransportError.self) { try PreparedOptions(options) }
            #expect(error.code == .configuration)
            #expect(error.message.contains("addressScope"))
            #expect(error.message.contains("the options name a proxy"), "\(error.message)")
        }
        options.addressScope = .any
        _ = try PreparedOptions(options)
    }
}
