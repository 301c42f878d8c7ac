internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Which header fields are sent, how often, and to which peer.
@Suite(.timeLimit(.minutes(10))) struct RequestFieldTests {
    @Test(arguments: [
        (HTTPRequest.Method.get, false), (.get, true), (.head, false), (.post, true),
        (.delete, false),
    ])
    func fieldsOfOptionsAreSentOnce(
        _ method: HTTPRequest.Method,
        _ hasBody: Bool
    ) async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let rig = try Rig()
        // The second request uses a reused easy handle.
        for turn in 0..<2 {
            let body: RequestBody = hasBody ? .bytes([1, 2, 3]) : .none
            try await rig.fetch(server.url, method: method, body: body) {
                $0.userAgent = "Mine/1"
            }
            let seen = server.requests[turn]
            #expect(seen.headers("User-Agent") == ["Mine/1"])
            #expect(seen.headers("Accept-Encoding").count == 1)
            #expect(seen.header("Accept-Encoding")?.contains("gzip") == true)
            #expect(seen.headers("Host") == ["127.0.0.1:\(server.port)"])
        }
    }

    @Test(arguments: [HTTPRequest.Method.get, .post])
    func requestFieldsReplaceFieldsOfOptions(_ method: HTTPRequest.Method) async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let rig = try Rig()
        let own: HTTPFields = [.userAgent: "Own/2", .acceptEncoding: "identity"]
        let empty: HTTPFields = [.userAgent: "", .acceptEncoding: ""]
        for fields in [own, [:], empty, own, [:]] {
            try await rig.fetch(server.url, method: method, fields: fields) {
                $0.userAgent = "Mine/1"
            }
        }
        let seen = server.requests
        #expect(
            seen.map { $0.headers("User-Agent") } == [
                ["Own/2"], ["Mine/1"], [""], ["Own/2"], ["Mine/1"],
            ]
        )
        #expect(seen.map { $0.headers("Accept-Encoding").count } == [1, 1, 1, 1, 1])
        #expect(seen[0].header("Accept-Encoding") == "identity")
        #expect(seen[2].header("Accept-Encoding") == "")
    }

    @Test func disabledFieldsAreNotSent() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let rig = try Rig()
        // Requests with default options alternate on the same connection.
        for turn in 0..<4 {
            try await rig.fetch(server.url) {
                guard turn % 2 == 0 else { return }
                $0.userAgent = nil
                $0.decodesContent = false
            }
        }
        #expect(server.requests.map { $0.headers("User-Agent").count } == [0, 1, 0, 1])
        #expect(server.requests.map { $0.headers("Accept-Encoding").count } == [0, 1, 0, 1])
    }

    @Test("Given omitted fields, then they are only sent by requests that have them")
    func omittedFieldsAreNotAdded() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let rig = try Rig()
        let own: HTTPFields = [.accept: "a/b", .userAgent: "Own/2", .acceptEncoding: "identity"]
        // Requests with default options alternate on the same connection.
        for (turn, fields) in [[:], [:], own, [:]].enumerated() {
            try await rig.fetch(server.url, fields: fields) {
                guard turn % 2 == 0 else { return }
                $0.omittedFields = [.accept, .userAgent, .acceptEncoding]
            }
        }
        for (name, value) in [
            ("Accept", "a/b"), ("User-Agent", "Own/2"), ("Accept-Encoding", "identity"),
        ] {
            let values = server.requests.map { $0.headers(name) }
            #expect(values.map(\.count) == [0, 1, 1, 1], "\(name)")
            #expect(values[2] == [value])
        }
    }

    @Test(arguments: [nil, "Own/2"])
    func connectRequestHasUserAgentOfOptions(_ own: String?) async throws {
        let proxy = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 Established\r\n\r\n"),
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"), .stall,
        ])
        let fields: HTTPFields = own.map { [.userAgent: $0] } ?? [:]
        try await Rig().fetch("http://origin.test/x", fields: fields) { options in
            var server = ProxyServer(.http, host: "127.0.0.1", port: proxy.port)
            server.alwaysTunnels = true
            options.proxy = .server(server)
            options.userAgent = "Mine/1"
        }
        let seen = proxy.requests
        #expect(seen.map(\.method) == ["CONNECT", "GET"])
        #expect(seen[0].headers("User-Agent") == ["Mine/1"])
        #expect(seen[0].headers("Accept-Encoding") == [])
        #expect(seen[1].headers("User-Agent") == [own ?? "Mine/1"])
        #expect(seen[1].headers("Accept-Encoding").count == 1)
    }

    @Test(arguments: [nil, "Own/2"])
    func proxyRequestHasFieldsOnce(_ own: String?) async throws {
        let proxy = try LoopbackServer { _ in .text("via") }
        let fields: HTTPFields = own.map { [.userAgent: $0] } ?? [:]
        try await Rig().fetch("http://origin.test/x", fields: fields) { options in
            options.proxy = .server(ProxyServer(.http, host: "127.0.0.1", port: proxy.port))
            options.userAgent = "Mine/1"
        }
        #expect(proxy.requests[0].target == "http://origin.test/x")
        #expect(proxy.requests[0].headers("User-Agent") == [own ?? "Mine/1"])
        #expect(proxy.requests[0].headers("Accept-Encoding").count == 1)
    }

    /// The header list's memory grows several times while it is filled.
    @Test(arguments: [HTTPRequest.Method.get, .post])
    func hundredsOfLongFieldsArriveUnchanged(_ method: HTTPRequest.Method) async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let rig = try Rig()
        var fields = HTTPFields()
        var expected: [String] = []
        var random = SeededGenerator(seed: 3)
        for number in 0..<600 {
            let length = Int.random(in: 1...400, using: &random)
            let value = "\(number)-" + String(repeating: "v", count: length)
            fields[try #require(HTTPField.Name("X-Field-\(number)"))] = value
            expected.append("X-Field-\(number): \(value)")
        }
        // Many fields, none, and many again on the same handle.
        for (turn, isLong) in [true, false, true].enumerated() {
            try await rig.fetch(server.url, method: method, fields: isLong ? fields : [:])
            let lines = server.requests[turn].headerLines.filter { $0.hasPrefix("X-Field-") }
            #expect(lines == (isLong ? expected : []))
            #expect(server.requests[turn].headers("User-Agent").count == 1)
        }
    }
}
