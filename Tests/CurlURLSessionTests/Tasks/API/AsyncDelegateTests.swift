internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests which events the delegate of an asynchronous method gets.
@Suite(.timeLimit(.minutes(10))) struct AsyncDelegateTests {
    @Test("The delegate of an asynchronous method gets the response and the body as they arrive")
    func ownDelegateGetsResponseAndBody() async throws {
        let gate = Gate()
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n"
        let server = try LoopbackServer { _ in
            .steps([.send(head + "first"), .waitFor(gate), .send("second")])
        }
        let (own, sessions) = (SessionDelegate(), SessionDelegate())
        let session = URLSession.test(delegate: sessions)
        let url = try server.at("/")
        async let loaded = session.data(from: url, delegate: own)
        // The method still waits for the rest.
        try await own.bytes(5)
        #expect(own.events.first == .response(200))
        gate.open()
        let (data, response) = try await loaded
        #expect(data == Data("firstsecond".utf8))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(own.data == data)
        #expect(own.milestones == [.response(200), .metrics(transactions: 1)])
        #expect(sessions.events.isEmpty)
        session.invalidateAndCancel()
    }

    @Test("The delegate of an asynchronous upload gets its progress, the response and the body")
    func ownDelegateGetsEventsOfAnUpload() async throws {
        let server = try LoopbackServer { _ in .text("stored", status: 201) }
        let own = SessionDelegate()
        let session = URLSession.test()
        var request = URLRequest(url: try server.at("/"))
        request.httpMethod = "PUT"
        let body = Data("content".utf8)
        let (data, _) = try await session.upload(for: request, from: body, delegate: own)
        #expect(data == Data("stored".utf8))
        #expect(own.data == data)
        #expect(own.events.first == .sent(7, of: 7))
        #expect(own.milestones == [.response(201), .metrics(transactions: 1)])
        session.invalidateAndCancel()
    }

    @Test("The delegate of an asynchronous download gets its progress, but not the file")
    func ownDelegateGetsProgressOfADownload() async throws {
        let server = try LoopbackServer { _ in .bytes([UInt8](repeating: 7, count: 100_000)) }
        let (own, sessions) = (SessionDelegate(), SessionDelegate())
        let session = URLSession.test(delegate: sessions)
        let (file, _) = try await session.download(from: server.at("/"), delegate: own)
        defer { try? FileManager.default.removeItem(at: file) }
        let size = try Data(contentsOf: file).count
        #expect(size == 100_000)
        #expect(own.events.contains(.wrote(100_000, of: 100_000)))
        #expect(own.milestones == [.metrics(transactions: 1)])
        #expect(sessions.events.isEmpty)
        session.invalidateAndCancel()
    }

    /// A delegate with the required method only.
    private final class Silent: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate {
        func urlSession(
            _ session: URLSession,
            downloadTask: URLSessionDownloadTask,
            didFinishDownloadingTo location: URL
        ) {}
    }

    @Test(
        "The session's delegate gets no response, body or progress of asynchronous methods",
        arguments: [true, false]
    )
    func sessionDelegateGetsNoContent(_ hasOwn: Bool) async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let sessions = SessionDelegate()
        let session = URLSession.test(delegate: sessions)
        let own = hasOwn ? Silent() : nil
        let (data, _) = try await session.data(from: server.at("/"), delegate: own)
        #expect(data == Data("hello".utf8))
        let (file, _) = try await session.download(from: server.at("/file"), delegate: own)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(sessions.events == [.metrics(transactions: 1), .metrics(transactions: 1)])
        session.invalidateAndCancel()
    }

    @Test("An asynchronous method whose delegate cancels the response is cancelled")
    func cancelledResponseEndsTheMethod() async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let own = SessionDelegate { $0.response = { $1(.cancel) } }
        let session = URLSession.test()
        let error = try await urlError {
            _ = try await session.data(from: server.at("/"), delegate: own)
        }
        #expect(error.code == .cancelled)
        #expect(own.data.isEmpty)
        session.invalidateAndCancel()
    }

    @Test(
        "The response of an asynchronous method can't become a download or a stream",
        arguments: [URLSession.ResponseDisposition.becomeDownload, .becomeStream]
    )
    func otherDispositionsAllowTheBody(
        _ disposition: URLSession.ResponseDisposition
    ) async throws {
        let server = try LoopbackServer { _ in .text("hello") }
        let own = SessionDelegate { $0.response = { $1(disposition) } }
        let session = URLSession.test()
        let (data, _) = try await session.data(from: server.at("/"), delegate: own)
        #expect(data == Data("hello".utf8))
        #expect(own.text == "hello")
        #expect(own.milestones == [.response(200), .metrics(transactions: 1)])
        session.invalidateAndCancel()
    }
}
