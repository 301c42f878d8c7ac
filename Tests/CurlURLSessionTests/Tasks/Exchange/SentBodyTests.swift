internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests which bodies are sent, and which of them are sent as forms.
@Suite(.timeLimit(.minutes(10))) struct SentBodyTests {
    private static let form = "application/x-www-form-urlencoded"

    private func sent(
        in session: URLSession = .test(),
        _ configure: (inout URLRequest) -> Void
    ) async throws -> RecordedRequest {
        let server = try LoopbackServer { _ in .text("ok") }
        var request = URLRequest(url: try server.at("/"))
        configure(&request)
        _ = try await session.data(for: request)
        return server.requests[0]
    }

    // MARK: Forms

    @Test(
        "A POST with a body and without a Content-Type is sent as a form",
        arguments: [true, false]
    )
    func postWithoutAContentTypeIsAForm(_ isStream: Bool) async throws {
        let body = Data("a=b".utf8)
        let request = try await sent {
            $0.httpMethod = "POST"
            if isStream { $0.httpBodyStream = InputStream(data: body) } else { $0.httpBody = body }
        }
        #expect(request.headers("Content-Type") == [Self.form])
        #expect(request.bodyText == "a=b")
    }

    @Test("A POST with the delegate's stream and without a Content-Type is sent as a form")
    func delegatesStreamIsAForm() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let delegate = SessionDelegate { answers in
            answers.bodyStream = { InputStream(data: Data("a=b".utf8)) }
        }
        let session = URLSession.test(delegate: delegate)
        var request = URLRequest(url: try server.at("/"))
        request.httpMethod = "POST"
        session.uploadTask(withStreamedRequest: request).resume()
        try await delegate.completion()
        #expect(server.requests[0].headers("Content-Type") == [Self.form])
        #expect(server.requests[0].bodyText == "a=b")
        session.invalidateAndCancel()
    }

    @Test("A redirected form keeps its Content-Type only with its body", arguments: [307, 302])
    func redirectedFormKeepsItsTypeWithItsBody(_ status: Int) async throws {
        let server = try LoopbackServer { request in
            request.path == "/end" ? .text("end") : .redirect(status, to: "/end")
        }
        var request = URLRequest(url: try server.at("/start"))
        request.httpMethod = "POST"
        request.httpBody = Data("a=b".utf8)
        _ = try await URLSession.test().data(for: request)
        let second = server.requests[1]
        #expect(second.bodyText == (status == 307 ? "a=b" : ""))
        #expect(second.header("Content-Type") == (status == 307 ? Self.form : nil))
    }

    @Test("A request's own Content-Type is the only one")
    func ownContentTypeIsTheOnlyOne() async throws {
        let request = try await sent {
            $0.httpMethod = "POST"
            $0.httpBody = Data("a,b".utf8)
            $0.setValue("text/csv", forHTTPHeaderField: "Content-Type")
        }
        #expect(request.headers("Content-Type") == ["text/csv"])
    }

    @Test(
        "Other methods and empty bodies get no Content-Type",
        arguments: [("PUT", "a"), ("PATCH", "a"), ("GET", "a"), ("POST", ""), ("POST", nil)]
            as [(String, String?)]
    )
    func otherRequestsAreNoForms(_ method: String, _ body: String?) async throws {
        let request = try await sent {
            $0.httpMethod = method
            $0.httpBody = body.map { Data($0.utf8) }
        }
        #expect(request.method == method)
        #expect(request.header("Content-Type") == nil)
        #expect(request.bodyText == body ?? "")
    }

    @Test(
        "Data and files of upload tasks get no Content-Type, whatever body the request has",
        arguments: [nil, "a=b"] as [String?]
    )
    func uploadsAreNoForms(_ ignored: String?) async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let folder = try TemporaryDirectory()
        let file = URL(fileURLWithPath: try folder.write("content", to: "body"))
        var request = URLRequest(url: try server.at("/"))
        request.httpMethod = "POST"
        request.httpBody = ignored.map { Data($0.utf8) }
        let session = URLSession.test()
        _ = try await session.upload(for: request, from: Data("content".utf8))
        _ = try await session.upload(for: request, fromFile: file)
        #expect(server.requests.map(\.bodyText) == ["content", "content"])
        #expect(server.requests.map { $0.header("Content-Type") } == [nil, nil])
    }

    @Test("A session that adds no Content-Type sends a POST without one")
    func formTypeCanBeSwitchedOff() async throws {
        let request = try await sent(in: .test { $0.addsFormContentType = false }) {
            $0.httpMethod = "POST"
            $0.httpBody = Data("a=b".utf8)
        }
        #expect(request.header("Content-Type") == nil)
        #expect(request.bodyText == "a=b")
    }

    // MARK: Methods without a body

    @Test("A HEAD request is sent without its body", arguments: ["", "content"])
    func headIsSentWithoutItsBody(_ body: String) async throws {
        let request = try await sent {
            $0.httpMethod = "HEAD"
            $0.httpBody = Data(body.utf8)
        }
        #expect(request.method == "HEAD")
        #expect(request.bodyByteCount == 0)
        #expect(request.header("Content-Length") == nil)
    }

    @Test("A HEAD request is sent without its stream")
    func headIsSentWithoutItsStream() async throws {
        let request = try await sent {
            $0.httpMethod = "HEAD"
            $0.httpBodyStream = InputStream(data: Data("content".utf8))
            $0.setValue("7", forHTTPHeaderField: "Content-Length")
        }
        #expect(request.method == "HEAD")
        #expect(request.bodyByteCount == 0)
        #expect(request.header("Content-Length") == nil)
        #expect(request.header("Transfer-Encoding") == nil)
    }

    @Test("A task that sends no body expects to send no bytes")
    func headTaskExpectsToSendNothing() async throws {
        let server = try LoopbackServer { _ in .text("ok") }
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        var request = URLRequest(url: try server.at("/"))
        request.httpMethod = "HEAD"
        request.httpBody = Data("content".utf8)
        let task = session.dataTask(with: request)
        task.resume()
        try await delegate.completion()
        #expect(delegate.errors.isEmpty)
        #expect(task.countOfBytesExpectedToSend == 0)
        session.invalidateAndCancel()
    }

    @Test("A GET request with an empty body is sent without a body")
    func emptyBodyOfAGetIsNoBody() async throws {
        let request = try await sent { $0.httpBody = Data() }
        #expect(request.method == "GET")
        #expect(request.header("Content-Length") == nil)
    }
}
