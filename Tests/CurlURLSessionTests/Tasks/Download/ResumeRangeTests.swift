internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests how a resumed download handles `Content-Range` (RFC 9110, 14.4).
///
/// The bytes of an invalid range must not be appended to the partial file.
@Suite(.timeLimit(.minutes(10))) struct ResumeRangeTests {
    private static let content = [UInt8](count: 5_000) { UInt8(truncatingIfNeeded: $0 &* 13) }
    private static let half = 2_500
    private static let tag = "\"one\""

    private static let beginning = Reply.steps([
        .send("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\nETag: \(tag)\r\n\r\n"),
        .send([UInt8](content[..<half])),
    ])

    private static let whole = Reply(headers: [("ETag", tag)], body: .bytes(content))

    /// A partial response with `count` bytes of the rest.
    ///
    /// Its body ends with the connection, unless `framing` has a length or says that it is chunked.
    private static func part(_ lines: [String], _ count: Int, framing: String = "") -> Reply {
        let head = "HTTP/1.1 206 Partial Content\r\nETag: \(tag)\r\n"
        let fields = lines.map { "Content-Range: \($0)\r\n" }.joined()
        let body = [UInt8](content[half...].prefix(count))
        return .steps([
            .send(head + fields + framing + "Connection: close\r\n\r\n"), .send(body), .close,
        ])
    }

    private func resumeData(_ server: LoopbackServer, _ session: URLSession) async throws -> Data {
        let url = try server.at("/file")
        let error = try await urlError { _ = try await session.download(from: url) }
        return try #require(error.downloadTaskResumeData)
    }

    /// A server that answers by the number of the request, from 0.
    private func server(
        _ answer: @escaping @Sendable (Int) -> Reply
    ) throws -> LoopbackServer {
        let count = Watched(0)
        return try LoopbackServer { _ in
            answer(
                count.update { count in
                    defer { count += 1 }
                    return count
                }
            )
        }
    }

    @Test(
        "A resumed download with an unusable Content-Range restarts",
        arguments: [
            ["bytes 2500-9223372036854775807/0"], ["bytes 2500-9223372036854775806/*"],
            ["bytes 2500-4999/0"], ["bytes 2500-2499/5000"], ["bytes 2500-4999/4999"],
            ["bytes 2500-5000/5000"], ["bytes 2500-4999/99999999999999999999"],
            ["bytes 2500-99999999999999999999/*"], ["bytes 2500-5000/*"], ["bytes 2500-4999"],
            ["bytes */5000"], ["bytes -2500/5000"], ["2500-4999/5000"],
            ["bytes 2500-4999/5001"], ["bytes 2500-4998/4999"],
            ["bytes 2500-4999/5000", "bytes 2500-2599/5000"],
        ]
    )
    func unusableContentRangeRestarts(_ lines: [String]) async throws {
        let server = try server { number in
            switch number {
            case 0: Self.beginning
            case 1: Self.part(lines, 100)
            default: Self.whole
            }
        }
        let session = URLSession.test()
        let data = try await resumeData(server, session)
        let (file, response) = try await session.download(resumeFrom: data)
        #expect(try Data(contentsOf: file) == Data(Self.content))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(server.requestCount == 3)
        #expect(server.requests.last?.header("Range") == nil)
        try FileManager.default.removeItem(at: file)
        session.invalidateAndCancel()
    }

    private static let beginningWithoutALength = Reply.steps([
        .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nETag: \(tag)\r\n\r\n"),
        .send("9c4\r\n"), .send([UInt8](content[..<half])), .close,
    ])

    @Test("Without a total length in any response, a resumed download restarts")
    func unknownTotalLengthRestarts() async throws {
        let server = try server { number in
            switch number {
            case 0: Self.beginningWithoutALength
            case 1: Self.part(["bytes 2500-4999/*"], 2_500)
            default: Self.whole
            }
        }
        let session = URLSession.test()
        let data = try await resumeData(server, session)
        let (file, _) = try await session.download(resumeFrom: data)
        #expect(try Data(contentsOf: file) == Data(Self.content))
        #expect(server.requestCount == 3)
        try FileManager.default.removeItem(at: file)
        session.invalidateAndCancel()
    }

    @Test("A resumed download restarts if the server says that nothing is missing")
    func nothingMissingRestarts() async throws {
        let end = [UInt8](Self.content[..<Self.half])
        let server = try server { number in
            switch number {
            case 0: Self.beginningWithoutALength
            case 1: Reply.status(416).header("Content-Range", "bytes */\(Self.half)")
            default: Reply(headers: [("ETag", Self.tag)], body: .bytes(end))
            }
        }
        let session = URLSession.test()
        let data = try await resumeData(server, session)
        let (file, response) = try await session.download(resumeFrom: data)
        #expect(try Data(contentsOf: file) == Data(end))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(server.requests.map { $0.header("Range") != nil } == [false, true, false])
        try FileManager.default.removeItem(at: file)
        session.invalidateAndCancel()
    }

    @Test("A part without a total length keeps the total length known before")
    func partWithoutATotalKeepsTheKnownOne() async throws {
        let server = try server { number in
            number == 0 ? Self.beginning : Self.part(["bytes 2500-4999/*"], 2_500)
        }
        let session = URLSession.test()
        let data = try await resumeData(server, session)
        let content = Watched<Data?>(nil)
        let delegate = SessionDelegate { answers in
            answers.file = { url in content.update { $0 = try? Data(contentsOf: url) } }
        }
        let task = session.downloadTask(withResumeData: data)
        task.delegate = delegate
        task.resume()
        try await delegate.completion()
        #expect(content.read { $0 } == Data(Self.content))
        #expect(delegate.events.first == .resumed(2_500, of: 5_000))
        #expect(task.countOfBytesExpectedToReceive == 5_000)
        #expect(server.requestCount == 2)
        session.invalidateAndCancel()
    }

    @Test("A first part of the rest, without a total length, isn't treated as the whole rest")
    func firstPartWithoutATotalIsIncomplete() async throws {
        let server = try server { number in
            number == 0 ? Self.beginning : Self.part(["bytes 2500-2599/*"], 100)
        }
        let session = URLSession.test()
        let data = try await resumeData(server, session)
        let error = try await urlError { _ = try await session.download(resumeFrom: data) }
        #expect(error.code == .networkConnectionLost)
        #expect(error.downloadTaskResumeData != nil)
        session.invalidateAndCancel()
    }

    @Test("A partial response with another length than its Content-Range isn't appended")
    func partOfAnotherLengthIsNotAppended() async throws {
        let server = try server { number in
            switch number {
            case 0: Self.beginning
            case 1:
                Self.part(["bytes 2500-4999/5000"], 100, framing: "Content-Length: 100\r\n")
            default: Self.whole
            }
        }
        let session = URLSession.test()
        let data = try await resumeData(server, session)
        let (file, _) = try await session.download(resumeFrom: data)
        #expect(try Data(contentsOf: file) == Data(Self.content))
        #expect(server.requestCount == 3)
        try FileManager.default.removeItem(at: file)
        session.invalidateAndCancel()
    }

    @Test("A download without an ETag restarts when Last-Modified has changed")
    func downloadRestartsWhenLastModifiedChanged() async throws {
        let other = [UInt8](repeating: 7, count: Self.content.count)
        let changed = "Last-Modified: Sun, 06 Nov 1994 08:49:3"
        let server = try server { number in
            switch number {
            case 0:
                .steps([
                    .send("HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 09:00:00 GMT\r\n"),
                    .send("\(changed)1 GMT\r\nContent-Length: 5000\r\n\r\n"),
                    .send([UInt8](Self.content[..<Self.half])), .close,
                ])
            case 1:
                .steps([
                    .send("HTTP/1.1 206 Partial Content\r\n\(changed)2 GMT\r\n"),
                    .send("Content-Range: bytes 2500-4999/5000\r\nContent-Length: 2500\r\n\r\n"),
                    .send([UInt8](other[Self.half...])), .close,
                ])
            default: Reply(body: .bytes(other))
            }
        }
        let session = URLSession.test()
        let data = try await resumeData(server, session)
        let (file, response) = try await session.download(resumeFrom: data)
        #expect(try Data(contentsOf: file) == Data(other))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(server.requests.map { $0.header("If-Range") != nil } == [false, true, false])
        try FileManager.default.removeItem(at: file)
        session.invalidateAndCancel()
    }

    @Test("A partial response that ends early is an error with resume data")
    func partThatEndsEarlyIsAnError() async throws {
        let server = try server { number in
            number == 0 ? Self.beginning : Self.part(["bytes 2500-4999/5000"], 100 + number)
        }
        let session = URLSession.test()
        let first = try await resumeData(server, session)
        let error = try await urlError { _ = try await session.download(resumeFrom: first) }
        #expect(error.code == .networkConnectionLost)
        let second = try #require(error.downloadTaskResumeData)
        // The range begins after the received bytes.
        _ = try await urlError { _ = try await session.download(resumeFrom: second) }
        #expect(server.requests[2].header("Range") == "bytes=2601-")
        session.invalidateAndCancel()
    }

    @Test("A partial response that is longer than its Content-Range is an error")
    func partThatIsTooLongIsAnError() async throws {
        let server = try server { number in
            number == 0 ? Self.beginning : Self.part(["bytes 2500-2599/5000"], 2_500)
        }
        let session = URLSession.test()
        let data = try await resumeData(server, session)
        let error = try await urlError { _ = try await session.download(resumeFrom: data) }
        #expect(error.code == .badServerResponse)
        #expect(error.downloadTaskResumeData == nil)
        session.invalidateAndCancel()
    }

    @Test("A partial response to a request without a range is an error")
    func partForAWholeRequestIsAnError() async throws {
        let server = try server { number in
            number == 0 ? Self.beginning : Self.part(["bytes 0-99/5000"], 100)
        }
        let session = URLSession.test()
        let data = try await resumeData(server, session)
        let error = try await urlError { _ = try await session.download(resumeFrom: data) }
        #expect(error.code == .badServerResponse)
        #expect(server.requestCount == 3)
        session.invalidateAndCancel()
    }
}
