internal import CurlURLSession
internal import Foundation
internal import Testing

private let server = ProcessInfo.processInfo.environment["AUTOBAHN_SERVER"]

/// Runs the Autobahn suite against its own server.
///
/// Start the server with `wstest --mode fuzzingserver`, from the Python 2.7 package
/// `autobahntestsuite`, and set `AUTOBAHN_SERVER` to its URL, for instance `ws://127.0.0.1:9001`.
///
/// Without it, CurlTransportTests play the same cases from tables.
@Suite(.enabled(if: server != nil), .timeLimit(.minutes(60)))
struct AutobahnServerTests {
    private struct Status: Decodable {
        let behavior: String
    }

    private func task(_ session: URLSession, _ path: String) throws -> URLSessionWebSocketTask {
        let server = try #require(server)
        let task = session.webSocketTask(with: try #require(URL(string: "\(server)/\(path)")))
        task.maximumMessageSize = 64 << 20
        task.resume()
        return task
    }

    private func answer(_ session: URLSession, _ path: String) async throws -> String {
        let task = try task(session, path)
        guard case .string(let text) = try await task.receive() else { return "" }
        return text
    }

    /// Echoes messages until the server closes the connection.
    private func echo(_ task: URLSessionWebSocketTask) async {
        while let message = try? await task.receive() {
            guard (try? await task.send(message)) != nil else { return }
        }
    }

    @Test func everyAutobahnCasePasses() async throws {
        let session = URLSession.test()
        let count = try #require(Int(try await answer(session, "getCaseCount")))
        #expect(count > 0)
        let agent = "agent=CurlURLSession"
        var behaviors: [String: Int] = [:]
        for number in 1...count {
            await echo(try task(session, "runCase?case=\(number)&\(agent)"))
            let text = try await answer(session, "getCaseStatus?case=\(number)&\(agent)")
            let status = try JSONDecoder().decode(Status.self, from: Data(text.utf8))
            #expect(
                ["OK", "NON-STRICT", "INFORMATIONAL"].contains(status.behavior),
                "case \(number): \(text)"
            )
            behaviors[status.behavior, default: 0] += 1
        }
        print("Autobahn: \(behaviors)")
        _ = try? await task(session, "updateReports?\(agent)").receive()
        session.invalidateAndCancel()
    }
}
