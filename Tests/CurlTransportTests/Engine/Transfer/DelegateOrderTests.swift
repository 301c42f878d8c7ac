internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct DelegateOrderTests {
    @Test func getCallsDelegateInOrderAndCompletesOnce() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let rig = try Rig()
        let delegate = try await rig.fetch(server.url + "/a?b=c")
        #expect(delegate.milestones == [.requestSent, .head(200), .metrics, .completed(nil)])
        #expect(delegate.bodyText == "hello")
        let bodyIndex = try #require(delegate.events.firstIndex(of: .body(5)))
        let headIndex = try #require(delegate.events.firstIndex(of: .head(200)))
        #expect(headIndex < bodyIndex)
        #expect(server.requests[0].target == "/a?b=c")
    }

    @Test func earlyHintsPrecedeHead() async throws {
        let server = try LoopbackServer { _ in
            .text("x").interim(103, headers: [("Link", "</a.css>")])
        }
        let delegate = try await Rig().fetch(server.url)
        #expect(
            delegate.milestones == [
                .requestSent, .informational(103), .head(200), .metrics, .completed(nil),
            ]
        )
        #expect(delegate.heads[0].headerFields[.init("Link")!] == "</a.css>")
        #expect(delegate.heads[1].headerFields[.init("Link")!] == nil)
    }

    @Test func informationalHeadsAreDeliveredInOrder() async throws {
        let server = try LoopbackServer { _ in
            .text("x").interim(100).interim(102).interim(103, headers: [("A", "1")])
        }
        let delegate = try await Rig().fetch(server.url)
        #expect(
            delegate.milestones == [
                .requestSent, .informational(100), .informational(102), .informational(103),
                .head(200), .metrics, .completed(nil),
            ]
        )
    }

    @Test func trailersAreDeliveredAfterBody() async throws {
        let server = try LoopbackServer { _ in
            .chunked([Array("ab".utf8), Array("c".utf8)], trailers: [("T", "v"), ("T", "w")])
        }
        let delegate = try await Rig().fetch(server.url)
        #expect(
            delegate.milestones == [
                .requestSent, .head(200), .trailers(["T: v", "T: w"]), .metrics, .completed(nil),
            ]
        )
        #expect(delegate.bodyText == "abc")
        let lastBody = delegate.events.lastIndex { if case .body = $0 { true } else { false } }
        let trailers = delegate.events.firstIndex(of: .trailers(["T: v", "T: w"]))
        #expect(try #require(lastBody) < #require(trailers))
    }

    @Test func uploadProgressGrowsToBodySize() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let count = 1 << 20
        let delegate = try await Rig().fetch(
            server.url,
            method: .put,
            body: .bytes([UInt8](repeating: 7, count: count))
        )
        let progress = delegate.events.compactMap { event -> Int64? in
            guard case .sentBody(let sent, let all) = event else { return nil }
            #expect(all == Int64(count))
            return sent
        }
        #expect(progress == progress.sorted())
        #expect(Set(progress).count == progress.count)
        #expect(progress.last == Int64(count))
        let sent = try #require(delegate.events.firstIndex(of: .requestSent))
        let head = try #require(delegate.events.firstIndex(of: .head(200)))
        #expect(sent < head)
    }

    @Test func smallBodyIsReportedOnce() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let delegate = try await Rig().fetch(server.url, method: .post, body: .text("12345"))
        #expect(
            delegate.events.filter { $0 != .endTurn } == [
                .sentBody(5, of: 5), .requestSent, .head(200), .body(2), .metrics, .completed(nil),
            ]
        )
    }

    @Test func emptyBodyIsSentWithHead() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("", to: "empty")
        let server = try LoopbackServer { _ in .text("ok") }
        let rig = try Rig()
        for body in [RequestBody.bytes([]), .file(path: file), .stream(length: 0, Chunks([]))] {
            let delegate = try await rig.fetch(server.url, method: .put, body: body)
            #expect(delegate.milestones == [.requestSent, .head(200), .metrics, .completed(nil)])
        }
        #expect(server.requests.map { $0.header("Content-Length") } == ["0", "0", "0"])
    }

    @Test func endOfTurnFollowsItsEvents() async throws {
        let gate = Gate()
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab"), .waitFor(gate),
            .send("cd"), .stall,
        ])
        let rig = try Rig()
        let delegate = RecordingDelegate()
        try rig.start(server.url, delegate: delegate)
        try await delegate.bodyBytes(2)
        try await delegate.lastEvent(.endTurn)
        gate.open()
        #expect(try await delegate.completion() == nil)
        // A turn that ends the transfer delivers the completion instead.
        #expect(delegate.events.suffix(3) == [.body(2), .metrics, .completed(nil)])
    }

    @Test func failureReportsMetricsBeforeError() async throws {
        let port = try LoopbackServer.unusedPort()
        let delegate = RecordingDelegate()
        let rig = try Rig()
        try rig.start("http://127.0.0.1:\(port)/", delegate: delegate)
        #expect(try await delegate.failure().code == .connectRefused)
        #expect(delegate.events == [.metrics, .completed(.connectRefused)])
    }
}
