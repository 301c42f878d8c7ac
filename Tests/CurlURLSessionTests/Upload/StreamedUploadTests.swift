internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Bodies that are made while they are sent.
@Suite(.timeLimit(.minutes(10))) struct StreamedUploadTests {
    @Test("E2: A body is sent as it is made, and holds up nobody meanwhile")
    func aBodyIsSentAsItIsMade() async throws {
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
            // The stream has nothing, and is being read; others have their turn.
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
}
