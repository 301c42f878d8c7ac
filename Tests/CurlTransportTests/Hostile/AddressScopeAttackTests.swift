import CurlTransport
import HTTPTypes
import TestSupport
import Testing

/// Ways to lead a transfer that may only connect to public addresses to a server of this machine.
///
/// The server that an attacker has on the internet is on 127.0.0.1 here, which is allowed in addition.
/// The server inside is on another port, and named by other addresses of 127.0.0.0/8.
@Suite(.timeLimit(.minutes(10))) struct AddressScopeAttackTests {
    private static let attackersOnly = AddressScope.publicOnly.allowing(["127.0.0.1"])

    private let inside: LoopbackServer

    init() throws {
        inside = try LoopbackServer { _ in .text("secret") }
    }

    /// Starts a transfer and returns its error's code. It must not have reached the server inside.
    private func code(
        _ url: String,
        _ rig: Rig,
        method: HTTPRequest.Method = .get,
        body: RequestBody = .none,
        _ configure: (inout TransferOptions) -> Void
    ) async throws -> TransportError.Code {
        let delegate = RecordingDelegate()
        do {
            try rig.start(url, method: method, body: body, delegate: delegate, configure)
        } catch let error as TransportError {
            return error.code
        }
        let error = try await delegate.failure()
        #expect(delegate.body.isEmpty)
        #expect(inside.acceptedConnectionCount == 0)
        return error.code
    }

    @Test(
        "No spelling of an address of this machine is connected to",
        arguments: [
            "127.0.0.1", "127.1", "127.0.1", "0x7f.1", "0x7f000001", "0177.0.0.1", "017700000001",
            "2130706433", "127.255.255.254", "0", "0.0.0.0", "localhost", "LOCALHOST", "[::1]",
            "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]",
            "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[fe80::1]", "%31%32%37.0.0.1",
        ]
    )
    func noSpellingIsConnectedTo(host: String) async throws {
        let code = try await code("http://\(host):\(inside.port)/", Rig()) {
            $0.addressScope = .publicOnly
        }
        let codes: [TransportError.Code] = [.addressRefused, .invalidURL, .hostNotFound]
        #expect(codes.contains(code), "\(code)")
    }

    @Test("The last redirect of a chain is checked like the first")
    func chainOfRedirectsIsCheckedToItsEnd() async throws {
        let target = "http://127.0.0.2:\(inside.port)/secret"
        let attacker = try LoopbackServer { request in
            let step = Int(request.path.dropFirst()) ?? 0
            return step < 10 ? .redirect(302, to: "/\(step + 1)") : .redirect(302, to: target)
        }
        let code = try await code("\(attacker.url)/0", Rig()) {
            $0.addressScope = Self.attackersOnly
        }
        #expect(code == .addressRefused)
        #expect(attacker.requests.count == 11)
    }

    @Test(
        "A redirect in another form than an absolute URL is checked, too",
        arguments: ["//127.0.0.2:%/x", "http://127.0.0.1@127.0.0.2:%/x"]
    )
    func redirectInAnotherFormIsChecked(location: String) async throws {
        let location = location.replacing("%", with: "\(inside.port)")
        let attacker = try LoopbackServer { _ in .redirect(307, to: location) }
        let (rig, delegate) = (try Rig(), RecordingDelegate())
        try rig.start(attacker.url, method: .post, body: .text("b"), delegate: delegate) {
            $0.addressScope = Self.attackersOnly
        }
        let error = try await delegate.failure()
        #expect(error.code == .addressRefused || error.code == .redirectForbidden, "\(error)")
        #expect(inside.acceptedConnectionCount == 0)
        withExtendedLifetime(rig) {}
    }

    @Test("A name that resolves to another address at the next lookup is refused then")
    func reboundNameIsRefused() async throws {
        let attacker = try LoopbackServer { _ in .text("attacker's") }
        let rig = try Rig()
        func resolve(to address: String, _ options: inout TransferOptions) {
            options.addressScope = Self.attackersOnly
            options.reusesConnection = false
            options.resolve = [
                ResolveOverride(host: "evil.test", port: attacker.port, addresses: [address])
            ]
        }
        let url = "http://evil.test:\(attacker.port)/"
        let delegate = try await rig.fetch(url) { resolve(to: "127.0.0.1", &$0) }
        #expect(delegate.bodyText == "attacker's")
        let code = try await code(url, rig) { resolve(to: "127.0.0.2", &$0) }
        #expect(code == .addressRefused)
        #expect(attacker.requests.count == 1)
    }

    @Test("Another host and port to connect to are checked in place of the URL's")
    func connectOverrideIsChecked() async throws {
        let code = try await code("http://public.example/", Rig()) {
            $0.addressScope = .publicOnly
            $0.connectTo = [ConnectOverride(toHost: "127.0.0.1", toPort: inside.port)]
        }
        #expect(code == .addressRefused)
    }

    @Test("Many requests at once don't use connections that requests without the limit open")
    func burstDoesNotUseOthersConnections() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let rig = try Rig()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let delegate = RecordingDelegate()
                    let isLimited = number % 2 == 0
                    let path = isLimited ? "limited" : "free"
                    try rig.start("\(server.url)/\(path)", delegate: delegate) {
                        if isLimited { $0.addressScope = .publicOnly }
                    }
                    let error = try await delegate.completion()
                    #expect(error?.code == (isLimited ? .addressRefused : nil))
                }
            }
            try await group.waitForAll()
        }
        #expect(server.requests.count == 20)
        #expect(server.requests.allSatisfy { $0.path == "/free" })
    }

    @Test("A WebSocket to a refused address fails before its handshake")
    func webSocketIsRefused() async throws {
        let rig = try SocketRig(server: inside)
        for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"] {
            let recorder = SocketRecorder()
            let socket = WebSocketConnection()
            defer { extendLifetime(socket) }
            try rig.connect(socket, "ws://\(host):\(inside.port)/", recorder: recorder) {
                _,
                options in
                options.addressScope = .publicOnly
            }
            guard case .connection(let error)? = try await recorder.end().error else {
                Issue.record("the WebSocket to \(host) ended otherwise")
                continue
            }
            #expect(error.code == .addressRefused)
        }
        #expect(inside.acceptedConnectionCount == 0)
    }

    @Test("A unix socket that another transfer uses isn't reused for its URL")
    func unixSocketIsNotReused() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path("socket")
        var listening = ServerOptions()
        listening.address = .unix(path: path)
        let server = try LoopbackServer(options: listening) { _ in .text("secret") }
        let rig = try Rig()
        try await rig.fetch("http://127.0.0.1:\(inside.port)/free") { $0.unixSocket = .path(path) }
        let code = try await code("http://127.0.0.1:\(inside.port)/", rig) {
            $0.addressScope = .publicOnly
        }
        #expect(code == .addressRefused)
        #expect(server.requests.map(\.path) == ["/free"])
    }
}
