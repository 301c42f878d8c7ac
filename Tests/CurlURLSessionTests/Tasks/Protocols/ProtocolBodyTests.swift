import CurlURLSession
import Foundation
import TestSupport
import Testing

/// Answers with the byte counts of the request's body, as data and as a stream.
private final class EchoMock: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url,
                statusCode: 200,
                httpVersion: nil,
                headerFields: nil
            )
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        let data = Data(request.httpBody ?? Data())
        client?.urlProtocol(self, didLoad: Data("data \(data.count) ".utf8))
        let streamed = request.httpBodyStream.map { Self.read($0) }
        client?.urlProtocol(self, didLoad: Data("stream \(streamed?.count ?? -1)".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    /// Reads a stream as many projects do.
    private static func read(_ stream: InputStream) -> Data {
        stream.open()
        defer { stream.close() }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 1024)
        while stream.hasBytesAvailable {
            let count = stream.read(&buffer, maxLength: buffer.count)
            if count <= 0 { break }
            data.append(buffer, count: count)
        }
        return data
    }

    override func stopLoading() {}
}

/// A delegate that supplies a body stream on request.
private final class StreamGiver: NSObject, URLSessionDataDelegate {
    let received = EventRecorder<String>()

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(InputStream(data: Data(repeating: 1, count: 4_000)))
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        received.record(String(decoding: data, as: UTF8.self))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didCompleteWithError error: (any Error)?
    ) {
        received.record(error == nil ? " end" : " error")
    }
}

@Suite(.timeLimit(.minutes(10)))
struct ProtocolBodyTests {
    private let mocks = MockSession([EchoMock.self])

    private func request() throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "https://echo.invalid/")))
        request.httpMethod = "POST"
        return request
    }

    private func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

    @Test func protocolGetsBodyInMemoryAsDataAndStream() async throws {
        var request = try request()
        request.httpBody = Data(repeating: 1, count: 5_000)
        #expect(try await mocks.text(request).0 == "data 5000 stream 5000")
        // The second request has a stream of its own.
        #expect(try await mocks.text(request).0 == "data 5000 stream 5000")
        #expect(request.httpBodyStream == nil)
    }

    @Test func protocolGetsNoBodyOfABodilessRequest() async throws {
        #expect(try await mocks.text(try request()).0 == "data 0 stream -1")
    }

    @Test func protocolGetsTheGivenStream() async throws {
        var request = try request()
        request.httpBodyStream = InputStream(data: Data(repeating: 1, count: 3_000))
        #expect(try await mocks.text(request).0 == "data 0 stream 3000")
    }

    @Test func protocolGetsUploadedDataAsDataAndStream() async throws {
        let body = Data(repeating: 1, count: 2_000)
        let (data, _) = try await mocks.session.upload(for: try request(), from: body)
        #expect(text(data) == "data 2000 stream 2000")
    }

    @Test func protocolGetsUploadedFileAsStream() async throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write([UInt8](repeating: 1, count: 7_000), to: "upload")
        let (data, _) = try await mocks.session.upload(
            for: try request(),
            fromFile: URL(filePath: path)
        )
        #expect(text(data) == "data 0 stream 7000")
    }

    @Test func protocolGetsTheDelegatesStream() async throws {
        let delegate = StreamGiver()
        let mocks = MockSession([EchoMock.self], delegate: delegate)
        mocks.session.uploadTask(withStreamedRequest: try request()).resume()
        _ = try await delegate.received.first { $0.hasPrefix(" ") }
        #expect(delegate.received.events.joined() == "data 0 stream 4000 end")
    }
}
