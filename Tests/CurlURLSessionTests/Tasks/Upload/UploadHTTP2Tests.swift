internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests uploads that are resumed over HTTP/2.
@Suite(.timeLimit(.minutes(10))) struct UploadHTTP2Tests {
    @Test(
        "E3: An upload over HTTP/2 resumes where its stream was reset",
        .enabled(if: FaultyHTTP2Peer.isAvailable)
    )
    func http2UploadResumesAfterAStreamReset() async throws {
        let peer = try await FaultyHTTP2Peer.start(tls: false)
        defer { peer.stop() }
        let session = URLSession.test { $0.httpVersion = .http2PriorKnowledge }
        let url = try #require(URL(string: peer.url("/upload?key=one")))
        let delegate = SessionDelegate()
        let error = try await urlError {
            _ = try await session.upload(
                for: UploadServer.post(url),
                from: UploadServer.content,
                delegate: delegate
            )
        }
        #expect(error.code == .networkConnectionLost)
        #expect(delegate.events.contains(.informational(104)))
        let data = try #require(error.uploadTaskResumeData)
        let (whole, _) = try await session.upload(resumeFrom: data)
        #expect(whole == UploadServer.content)
    }
}
