internal import CurlTransport
internal import Foundation
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// The examples of the transport do what their pages say.
@Suite(.timeLimit(.minutes(10))) struct TransportExampleTests {
    private let folder: TemporaryDirectory
    private let console: Console

    init() throws {
        folder = try TemporaryDirectory()
        console = try Console()
    }

    private func url(_ path: String) -> String { console.server.url + path }

    @Test func webSocketExamplesRun() async throws {
        var script = LoopbackServer.WebSocketScript { WebSocketHandshake.accept(for: $0) }
        script.fields = "Sec-WebSocket-Protocol: chat.v1\r\n"
        script.answer = { frame in
            switch frame.opcode {
            case 1: [.send(ServerFrame.binary([1, 2]).bytes + ServerFrame.text("bye").bytes)]
            case 8: [.send(ServerFrame(8, frame.payload).bytes), .close]
            default: []
            }
        }
        let chosen = try LoopbackServer.webSocket(script)
        script.fields = ""
        let plain = try LoopbackServer.webSocket(script)
        let client = try HTTPClient()
        let page = WebSockets(client: client, print: console.print)
        try await page.conversation("ws://127.0.0.1:\(plain.port)/")
        try await page.configuration("ws://127.0.0.1:\(chosen.port)/")
        #expect(console.lines.events == ["2 bytes", "bye", "chat.v1"])
        await client.shutdown()
    }

    @Test func jsonExampleRuns() async throws {
        let client = try HTTPClient()
        let page = CurlTransportFoundationPage(client: client, print: console.print)
        try await page.json(url("/questions"))
        #expect(console.lines.events == ["POST 23"])
        #expect(console.server.requests.first?.bodyText == #"{"text":"What is new?"}"#)
        await client.shutdown()
    }

    @Test func streamExamplesRun() async throws {
        let client = try HTTPClient()
        let page = ResponseBodies(client: client, print: console.print)
        try await page.lines(url("/pages"))
        try await page.events(url("/events"))
        #expect(console.lines.events == ["one", "two", "message: hello"])
        // The server answers a POST with JSON.
        try await page.post(url("/films"), "What is new?")
        #expect(console.lines.events.count == 4)
        await client.shutdown()
    }

    @Test func receivingExamplesRun() async throws {
        let client = try HTTPClient()
        let page = ResponseBodies(client: client, print: console.print)
        try await page.chunks(url("/pages"))
        let saved = folder.path("saved")
        try await page.file(url("/pages"), saved)
        try await page.limit(url("/pages"))
        #expect(
            console.lines.events
                == ["200: 8 bytes", "200: the content is in \(saved)", "200"]
        )
        try await page.resumable(url("/pages"), folder.path("continued"))
        #expect(console.lines.events.suffix(2) == ["100 %", "done"])
        #expect(try folder.read("continued").count == 8)
        #expect(try folder.read("saved").count == 8)
        await client.shutdown()
    }

    @Test func sendingExamplesRun() async throws {
        let client = try HTTPClient()
        let page = RequestBodies(client: client, print: console.print)
        try await page.text(url("/films"))
        try await page.file(url("/films"), folder.write("picture", to: "film"))
        try await page.stream(url("/pages"), url("/films"))
        let request = try HTTPRequest(method: .put, url: url("/films"))
        try await page.restartable(request, RequestBodies.Table())
        let bodies = console.server.requests.filter { $0.path == "/films" }.map(\.bodyText)
        #expect(
            bodies
                == [#"{"name": "Grace"}"#, "picture", "one\ntwo\n", "row 1\nrow 2\nrow 3\n"]
        )
        let entries = AsyncStream<[UInt8]> { $0.finish() }
        try await page.form(url("/forms"))
        try await page.multipart(url("/forms"), folder.path("film"), entries)
        let forms = console.server.requests.filter { $0.path == "/forms" }
        #expect(forms.first?.bodyText == "grant_type=client_credentials&scope=read+write")
        let picture = "Content-Type: image/jpeg\r\n\r\npicture\r\n"
        #expect(forms.last?.bodyText.contains(picture) == true)
        await client.shutdown()
    }

    @Test func addressExampleRefusesThisMachine() async throws {
        let client = try PrivateAddresses.client()
        try await PrivateAddresses(print: console.print).send(url("/pages"), with: client)
        #expect(console.lines.events == ["this URL isn't on the internet"])
        #expect(console.server.acceptedConnectionCount == 0)
        await client.shutdown()
    }

    @Test func trustExamplesRun() async throws {
        // The page's files don't exist here.
        let error = #expect(throws: TransportError.self) { try TLSPage.roots() }
        #expect(error?.code == .configuration)
        let digest = String(repeating: "A", count: 43) + "="
        let pinned = try TLSPage.pins(digest, digest)
        #expect(pinned.options.tls.publicKeyPins.count == 2)
        let evaluating = try TLSPage.trust { _ in false }
        #expect(evaluating.options.tls.evaluatesServerTrust)
        await pinned.shutdown()
        await evaluating.shutdown()
    }

    @Test func serviceExamplesAreLimitedAndObserved() async throws {
        let limited = try TimeoutsAndLimits.client()
        let request = try HTTPRequest(url: url("/pages"))
        await TimeoutsAndLimits(print: console.print).deadline(limited, request)
        #expect(limited.options.timeouts.queue == .seconds(1))
        await limited.shutdown()
        let page = Embedding(print: console.print)
        try await page.run { client in try await page.metrics(client, request) }
        #expect(console.lines.events.last?.hasPrefix("8 bytes, ") == true)
        let logging = try page.log()
        _ = try await logging.send(request).body.collect(upTo: 8)
        try await console.wait(for: "GET /pages HTTP/1.1")
        await logging.shutdown()
        LibcurlVersions(print: console.print).installed()
        #expect(console.lines.events.contains(TransferOptions.defaultUserAgent))
    }
}
