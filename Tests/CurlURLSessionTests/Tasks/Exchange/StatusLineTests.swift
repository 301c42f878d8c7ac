internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlURLSession

/// Tests invalid and unusual response heads.
@Suite(.timeLimit(.minutes(10))) struct StatusLineTests {
    private func load(_ line: String, rest: String) async throws -> (Data, HTTPURLResponse) {
        let server = try LoopbackServer.scripted([.readHead, .send(line + rest), .close])
        let (data, response) = try await URLSession.test().data(from: server.at("/"))
        return (data, try #require(response as? HTTPURLResponse))
    }

    @Test(
        "A14: A response with an invalid status line is an error",
        arguments: [
            "<html>hello</html>", "ICY 200 OK", "HTTP/1.1 abc Letters", "HTTP/1.1 20 Short",
            "HTTP/1.1 1000 Large", "HTTP/1.1 -1 Negative", "HTTP/1.1", "HTTP/9.9 200 OK",
            "http/1.1 200 OK", " HTTP/1.1 200 OK", "SSH-2.0-OpenSSH_9.2", "\u{0}\u{0}",
        ]
    )
    func invalidStatusLineIsAnError(_ line: String) async throws {
        let error = try await urlError {
            _ = try await load(line, rest: "\r\nContent-Length: 2\r\n\r\nok")
        }
        #expect(error.code == .badServerResponse)
    }

    @Test(
        "A14: A response with an unusual but valid status line is delivered",
        arguments: [
            ("HTTP/1.1 999 Odd", 999), ("HTTP/1.1 600", 600), ("HTTP/1.0 200 OK", 200),
            ("HTTP/1.1 200 ", 200), ("HTTP/1.1 404 Nicht gefunden – ärgerlich", 404),
        ]
    )
    func unusualStatusLineIsDelivered(_ line: String, _ status: Int) async throws {
        let (data, response) = try await load(line, rest: "\r\nContent-Length: 2\r\n\r\nok")
        #expect(response.statusCode == status)
        #expect(response.httpVersion.map { line.hasPrefix($0 + " ") } == true)
        #expect(String(decoding: data, as: UTF8.self) == "ok")
    }

    @Test("A14: A connection that closes without a response is a lost connection")
    func connectionClosedWithoutResponseIsLost() async throws {
        let server = try LoopbackServer.scripted([.readHead, .close])
        let error = try await urlError {
            _ = try await URLSession.test().data(from: server.at("/"))
        }
        #expect(error.code == .networkConnectionLost)
    }

    @Test("A NUL in a header line of a response is the server's fault")
    func nulInAHeaderLineIsTheServersFault() async throws {
        let error = try await urlError {
            _ = try await load(
                "HTTP/1.1 200 OK",
                rest: "\r\nX-A: a\0b\r\nContent-Length: 2\r\n\r\nok"
            )
        }
        #expect(error.code == .badServerResponse)
        #expect(error.reason.hasPrefix("The server"), "\(error)")
    }

    /// From 7.83 to 8.0, libcurl appends such a line to freed memory of the previous transfer.
    @Test("A response whose first field line is folded fails only its own task")
    func foldedFirstFieldFailsOnlyItsOwnTask() async throws {
        let server = try LoopbackServer.foldingFirstField()
        let url = try server.at("/")
        let session = URLSession.test()
        for _ in 0..<20 {
            let (first, _) = try await session.data(from: url)
            #expect(first == Data("ok".utf8))
            let error = try await urlError { _ = try await session.data(from: url) }
            #expect(error.code == .badServerResponse)
            let (third, _) = try await session.data(from: url)
            #expect(third == Data("ok".utf8))
        }
        session.invalidateAndCancel()
    }
}
