internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct OverlappingRequestsTests {
    /// Each response names its request, so that the test detects mixed-up responses.
    @Test("A6: Overlapping requests each receive their own response")
    func roundsOfOverlappingRequests() async throws {
        let server = try LoopbackServer { .text($0.path + $0.bodyText) }
        let url = try server.at("/")
        let session = URLSession.test()
        for round in 0..<Rounds.count(300, few: 100, full: 3_000) {
            async let first = text(session, url, "\(round)a")
            async let second = text(session, url, "\(round)b", body: "body")
            async let third: Void = abandon(session, url)
            let answers = try await (first, second)
            #expect(answers.0 == "/\(round)a")
            #expect(answers.1 == "/\(round)bbody")
            await third
        }
        session.invalidateAndCancel()
    }

    private func text(
        _ session: URLSession,
        _ url: URL,
        _ name: String,
        body: String? = nil
    ) async throws -> String {
        var request = URLRequest(url: url.appendingPathComponent(name))
        if let body {
            request.httpMethod = "POST"
            request.httpBody = Data(body.utf8)
        }
        return String(decoding: try await session.data(for: request).0, as: UTF8.self)
    }

    /// Cancels a request before, during or after its response.
    private func abandon(_ session: URLSession, _ url: URL) async {
        let task = session.dataTask(with: url)
        task.resume()
        task.cancel()
    }
}
