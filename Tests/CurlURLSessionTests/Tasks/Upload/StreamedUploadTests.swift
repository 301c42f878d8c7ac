internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests request bodies that are produced while they are sent.
@Suite(.timeLimit(.minutes(10))) struct StreamedUploadTests {
    @Test("E2: A body is sent while it is produced, and doesn't delay other requests")
    func bodyIsSentWhileItIsProduced() async throws {
        let server = try LoopbackServer { .bytes($0.body) }
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let feed = Feed()
        defer { feed.send([]) }
        var request = URLRequest(url: try server.at("/streamed"))
        request.httpMethod = "POST"
        request.httpBodyStream = FedStream(feed)
        session.uploadTask(withStreamedRequest: request).resume()
        var sent = ""
        for piece in ["one", "two", "three"] {
            // The stream has no bytes, and a read is pending. Other requests are served meanwhile.
            _ = try await server.requestHead(0)
            let (data, _) = try await session.data(from: server.at("/"))
            #expect(data.isEmpty)
            feed.send(Array(piece.utf8))
            sent += piece
            try await delegate.event(.sent(Int64(sent.utf8.count), of: -1))
        }
        feed.send([])
        try await delegate.completion()
        #expect(delegate.text == sent)
        #expect(delegate.errors.isEmpty)
        session.invalidateAndCancel()
    }

    /// A stream delivers its bytes once, and is closed by then.
    @Test func streamSentBeforeIsAnError() async throws {
        let server = try LoopbackServer { .bytes($0.body) }
        let session = URLSession.test()
        var request = URLRequest(url: try server.at("/"))
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: Data("once".utf8))
        let first = try await session.data(for: request).0
        #expect(String(decoding: first, as: UTF8.self) == "once")
        let error = try await urlError { [request] in _ = try await session.data(for: request) }
        #expect(error.code == .requestBodyStreamExhausted)
        session.invalidateAndCancel()
    }

    /// Streams without bytes don't delay other requests, however many there are.
    @Test func silentStreamsDoNotDelayOthers() async throws {
        let server = try LoopbackServer { .bytes($0.body) }
        let session = URLSession.test { $0.httpMaximumConnectionsPerHost = 0 }
        let feeds = (0..<100).map { _ in Feed() }
        let uploads = try feeds.map { feed in
            var request = URLRequest(url: try server.at("/streamed"))
            request.httpMethod = "POST"
            request.httpBodyStream = FedStream(feed)
            return Task { [request] in try await session.data(for: request).0 }
        }
        try await server.connectionsAccepted(feeds.count)
        let url = try #require(URL(string: "data:,hello"))
        let data: Data? = await awaitHandler { done in
            URLSession.test().dataTask(with: url) { data, _, _ in done(data) }.resume()
        }
        #expect(data == Data("hello".utf8))
        for feed in feeds {
            feed.send(Array("fed".utf8))
            feed.send([])
        }
        for upload in uploads {
            #expect(try await upload.value == Data("fed".utf8))
        }
        session.invalidateAndCancel()
    }
}
