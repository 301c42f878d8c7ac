internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct OverlappingRequestsTests {
    /// Each answer says what was asked for, so that none can be taken for another.
    @Test("A6: Rounds of overlapping requests bring to each what is its own")
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

    /// A request that is cancelled, be it before, while or after it is answered.
    private func abandon(_ session: URLSession, _ url: URL) async {
        let task = session.dataTask(with: url)
        task.resume()
        task.cancel()
    }
}
