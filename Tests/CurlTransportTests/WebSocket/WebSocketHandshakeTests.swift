import HTTPTypes
import TestSupport
import Testing

@testable import CurlTransport

@Suite struct WebSocketHandshakeTests {
    private func handshake(_ subprotocols: [String] = []) -> WebSocketHandshake {
        var generator = SeededGenerator(seed: 1)
        return WebSocketHandshake(subprotocols: subprotocols, using: &generator)
    }

    private func request(
        _ url: String,
        subprotocols: [String] = [],
        fields: HTTPFields = [:]
    ) throws -> WebSocketRequest {
        try WebSocketRequest(
            url: url,
            subprotocols: subprotocols,
            fields: fields,
            options: try PreparedOptions()
        )
    }

    /// The result of checking an answer with these lines.
    private func check(
        _ handshake: WebSocketHandshake,
        status: String = "HTTP/1.1 101 Switching Protocols",
        _ lines: [String]
    ) throws -> String? {
        var reader = WebSocketHeadReader(limits: ResponseHeadLimits())
        let text = ([status] + lines).map { $0 + "\r\n" }.joined() + "\r\n"
        let found = try #require(try reader.receive(Array(text.utf8).span))
        #expect(found.length == text.utf8.count)
        return try handshake.check(found.head)
    }

    private func good(_ handshake: WebSocketHandshake) -> [String] {
        [
            "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Accept: \(WebSocketHandshake.accept(for: handshake.key))",
        ]
    }

    /// RFC 6455, section 1.3.
    @Test func acceptFieldMatchesTheStandardsExample() {
        #expect(
            WebSocketHandshake.accept(for: "dGhlIHNhbXBsZSBub25jZQ==")
                == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        )
    }

    // MARK: The request

    @Test func requestMatchesStandard() throws {
        let handshake = handshake(["chat", "superchat"])
        let request = try self.request(
            "ws://example.com:8080/chat?x=1",
            fields: [
                .origin: "http://example.com", .connection: "close",
                #require(HTTPField.Name("Host")): "other.test",
            ]
        )
        let head = String(decoding: handshake.head(for: request.request), as: UTF8.self)
        let lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)
        #expect(lines.first == "GET /chat?x=1 HTTP/1.1")
        #expect(lines.contains("Host: other.test"))
        #expect(lines.contains("Upgrade: websocket") && lines.contains("Connection: Upgrade"))
        #expect(lines.contains("Sec-WebSocket-Version: 13"))
        #expect(lines.contains("Sec-WebSocket-Key: \(handshake.key)"))
        #expect(lines.contains("Sec-WebSocket-Protocol: chat, superchat"))
        #expect(lines.contains("Origin: http://example.com"))
        #expect(!lines.contains("Connection: close"))
        #expect(lines.suffix(2) == ["", ""])
        #expect(handshake.key.utf8.count == 24 && handshake.key.hasSuffix("=="))
    }

    @Test func keysDiffer() {
        // A generator without state has no address: the thread sanitizer would check an arbitrary
        // one.
        var generator = SeededGenerator(seed: .random(in: 0 ... .max))
        let keys = (0..<100).map { _ in
            WebSocketHandshake(subprotocols: [], using: &generator).key
        }
        #expect(Set(keys).count == 100)
    }

    @Test(arguments: [
        ("ws://host/", false, "host"), ("wss://host:1/", true, "host:1"),
        ("WSS://host/a", true, "host"), ("https://host/", true, "host"),
        ("http://[::1]:81/", false, "[::1]:81"),
    ])
    func schemesSetSecurityAndPort(_ url: String, _ isSecure: Bool, _ authority: String) throws {
        let request = try request(url)
        #expect(request.isSecure == isSecure)
        #expect(request.request.authority == authority)
    }

    @Test func protocolFieldSetsSubprotocols() throws {
        let request = try request(
            "ws://host/",
            subprotocols: ["a"],
            fields: [.secWebSocketProtocol: "b, c"]
        )
        #expect(request.subprotocols == ["a", "b", "c"])
    }

    @Test(arguments: ["ftp://host/", "ws:///", "", "ws://ho st/"])
    func invalidURLIsAnError(_ url: String) {
        #expect(throws: WebSocketError.self) { try request(url) }
    }

    @Test(arguments: [["a b"], [""], ["a", "a"], ["a\r\nb"]])
    func invalidSubprotocolIsAnError(_ names: [String]) {
        #expect(throws: WebSocketError.self) { try request("ws://host/", subprotocols: names) }
    }

    // MARK: The answer

    @Test func validResponseIsAccepted() throws {
        let handshake = handshake()
        #expect(try check(handshake, good(handshake)) == nil)
        let spelled = [
            "upgrade: WebSocket", "CONNECTION: keep-alive, Upgrade",
            "sec-websocket-accept:  \(WebSocketHandshake.accept(for: handshake.key))  ",
        ]
        #expect(try check(handshake, spelled) == nil)
    }

    @Test func chosenSubprotocolIsReported() throws {
        let handshake = handshake(["a", "b"])
        #expect(try check(handshake, good(handshake) + ["Sec-WebSocket-Protocol: b"]) == "b")
        #expect(try check(handshake, good(handshake)) == nil)
        for lines in [["c"], ["B"], ["a, b"], ["a", "b"]] {
            let fields = lines.map { "Sec-WebSocket-Protocol: \($0)" }
            #expect(throws: WebSocketError.self) { try check(handshake, good(handshake) + fields) }
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK", "HTTP/1.1 301 Moved", "HTTP/1.1 401 Unauthorized",
        "HTTP/1.1 503 Busy", "HTTP/1.0 101 Switching Protocols",
    ])
    func otherStatusIsARefusal(_ status: String) {
        let handshake = handshake()
        let error = #expect(throws: WebSocketError.self) {
            try check(handshake, status: status, good(handshake))
        }
        guard case .refused(let code, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(status.contains(" \(code) "))
    }

    @Test(arguments: 0..<3, ["", "x"])
    func missingOrWrongFieldIsARefusal(_ index: Int, _ value: String) {
        let handshake = handshake()
        var lines = good(handshake)
        let name = lines[index].prefix { $0 != ":" }
        lines[index] = "\(name): \(value)"
        #expect(throws: WebSocketError.self) { try check(handshake, lines) }
        lines.remove(at: index)
        #expect(throws: WebSocketError.self) { try check(handshake, lines) }
    }

    @Test func wrongAcceptValueIsARefusal() {
        let handshake = handshake()
        var lines = good(handshake)
        lines[2] = "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        #expect(throws: WebSocketError.self) { try check(handshake, lines) }
    }

    @Test func unrequestedExtensionIsARefusal() {
        let handshake = handshake()
        let lines = good(handshake) + ["Sec-WebSocket-Extensions: permessage-deflate"]
        #expect(throws: WebSocketError.self) { try check(handshake, lines) }
    }

    // MARK: Finding the head

    @Test func bytesAfterHeadAreLeft() throws {
        let head = "HTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 101 Yes\r\nC: d\r\n\r\n"
        let bytes = Array(head.utf8) + [0x81, 0x01, 0x0A, 0x0A]
        for cut in 0...bytes.count {
            var reader = WebSocketHeadReader(limits: ResponseHeadLimits())
            let first = try reader.receive(bytes.span.extracting(0..<cut))
            if cut >= head.utf8.count {
                #expect(first?.length == head.utf8.count)
                #expect(first?.head.statusCode == 101)
            } else {
                #expect(first == nil)
                let second = try reader.receive(bytes.span.extracting(cut..<bytes.count))
                #expect(second?.length == head.utf8.count - cut)
            }
        }
    }

    @Test func endlessHeadIsAnError() {
        var reader = WebSocketHeadReader(limits: ResponseHeadLimits())
        let bytes = [UInt8](repeating: 0x41, count: 1 << 20)
        #expect(throws: TransportError.self) { _ = try reader.receive(bytes.span) }
    }

    @Test func nonHTTPResponseIsAnError() {
        var reader = WebSocketHeadReader(limits: ResponseHeadLimits())
        #expect(throws: TransportError.self) {
            try reader.receive(Array("SSH-2.0-OpenSSH\r\n".utf8).span)
        }
    }
}
