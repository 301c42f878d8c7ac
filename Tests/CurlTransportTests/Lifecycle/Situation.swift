internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// A transfer brought to a certain point, where it stays until ended.
struct Situation: Sendable, CustomTestStringConvertible {
    /// The parts of a situation.
    struct Scene: Sendable {
        let server: LoopbackServer
        let transport: Transport
        let journal: TransferJournal
        let handle: TransferHandle
    }

    let testDescription: String
    private let script: [Step]
    private let answers: TransferJournal.Answers
    private let scheme: String
    private let body: RequestBody
    private let arrives: @Sendable (Scene) async throws -> Void
    /// Whether the server notices the end.
    ///
    /// If the server has stopped reading, the kernel keeps the end behind unsent bytes.
    private(set) var isHeardByServer = true

    init(
        _ name: String,
        _ script: [Step],
        scheme: String = "http",
        body: RequestBody = .none,
        _ change: (inout TransferJournal.Answers) -> Void = { _ in },
        arrives: @escaping @Sendable (Scene) async throws -> Void
    ) {
        testDescription = name
        self.script = script
        self.scheme = scheme
        self.body = body
        self.arrives = arrives
        var answers = TransferJournal.Answers()
        change(&answers)
        self.answers = answers
    }

    /// Brings a transfer to this point.
    func scene(
        act: @escaping @Sendable (TransferJournal.Event) -> Void = { _ in }
    ) async throws -> Scene {
        var options = ServerOptions()
        options.sendBufferBytes = 64 * 1024
        options.receiveBufferBytes = 64 * 1024
        let server = try LoopbackServer.scripted(options: options, script)
        let transport = try Transport()
        var answers = answers
        answers.act = act
        let journal = TransferJournal(answers)
        let handle = transport.start(
            TransferRequest(
                try HTTPRequest(url: "\(scheme)://127.0.0.1:\(server.port)/"),
                body: body,
                options: try PreparedOptions(.patient)
            ),
            delegate: journal
        )
        let scene = Scene(server: server, transport: transport, journal: journal, handle: handle)
        try await arrives(scene)
        return scene
    }

    private func unheard() -> Situation {
        var other = self
        other.isHeardByServer = false
        return other
    }

    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"

    static let all: [Situation] = [
        Situation("in the TLS handshake", [.readUntilClosed], scheme: "https") { scene in
            try await scene.server.connectionsAccepted(1)
        },
        Situation("waiting for the head", [.readHead, .stall]) { scene in
            try await scene.server.requests(count: 1)
            try await scene.journal.wait(for: .sent)
        },
        Situation("within the head", [.readHead, .send("HTTP/1.1 200 OK\r\nX-A: b"), .stall]) {
            _ = try await $0.server.sent(20)
        },
        Situation(
            "between informational heads",
            [.readHead, .send("HTTP/1.1 103 Early\r\n\r\n"), .stall]
        ) { try await $0.journal.wait(for: .informational) },
        Situation("before the body", [.readHead, .send(head), .stall]) { scene in
            try await scene.journal.wait(for: .head(200))
        },
        Situation("within the body", [.readHead, .send(head + "abc"), .stall]) { scene in
            try await scene.journal.wait(for: .body)
        },
        Situation(
            "within a body that flows",
            [.readHead, .send("HTTP/1.1 200 OK\r\n\r\n"), .sendRepeating("abc", times: nil)]
        ) { try await $0.journal.wait(for: .body) },
        Situation(
            "with a paused body",
            [.readHead, .send("HTTP/1.1 200 OK\r\n\r\n"), .sendRepeating("abc", times: nil)]
        ) {
            $0.body = .pause
        } arrives: {
            try await $0.journal.wait(for: .body)
            try await $0.server.blocked()
        },
        Situation(
            "while the server doesn't read the upload",
            [.readHead, .stall],
            body: .bytes([UInt8](repeating: 1, count: 16 << 20))
        ) { try await $0.server.requests(count: 1) }.unheard(),
        Situation(
            "while the upload's source yields no bytes",
            [.readHead, .stall],
            body: .stream(Standstill())
        ) { try await $0.server.requests(count: 1) },
        Situation(
            "with a redirect in question",
            [
                .readHead, .send("HTTP/1.1 302 F\r\nLocation: /x\r\nContent-Length: 5\r\n\r\nab"),
                .stall,
            ]
        ) {
            $0.redirect = .later
        } arrives: {
            try await $0.journal.wait(for: .redirect)
        },
        Situation(
            "with a redirect in question whose attempt is over",
            [
                .readHead, .send("HTTP/1.1 302 F\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n"),
                .stall,
            ]
        ) {
            $0.redirect = .later
        } arrives: {
            try await $0.journal.wait(for: .redirect)
        },
        Situation(
            "leaving a redirect",
            [
                .readHead, .send("HTTP/1.1 302 F\r\nLocation: /x\r\nContent-Length: 5\r\n\r\nab"),
                .stall,
            ]
        ) { try await $0.journal.wait(for: .redirect) },
        Situation(
            "on its second attempt",
            [
                .readHead, .send("HTTP/1.1 302 F\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n"),
                .readHead, .stall,
            ]
        ) { try await $0.server.requests(count: 2) },
    ]
}

/// A body that yields nothing until its task is cancelled.
struct Standstill: AsyncSequence, AsyncIteratorProtocol, Sendable {
    func next() async throws -> [UInt8]? {
        try await Gate().wait()
        return nil
    }

    func makeAsyncIterator() -> Standstill { self }
}
