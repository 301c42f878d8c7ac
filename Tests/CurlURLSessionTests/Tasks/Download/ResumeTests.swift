internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests downloads that end early, and downloads that resume them.
@Suite(.timeLimit(.minutes(10))) struct ResumeTests {
    private static let content = Data(
        [UInt8](count: 1_000_000) { UInt8(truncatingIfNeeded: $0 &* 7) }
    )
    private static let half = content.count / 2
    private static let size = Int64(content.count)
    private static let tag = "\"one\""

    /// The first half of the content. Then the server waits at the gate, or closes the connection.
    private static func part(
        _ validator: (String, String) = ("ETag", tag),
        _ others: [String] = [],
        then gate: Gate? = nil
    ) -> Reply {
        let lines =
            ["Content-Length: \(content.count)", "\(validator.0): \(validator.1)"] + others
        let head = "HTTP/1.1 200 OK\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"
        return .steps(
            [.send(head), .send([UInt8](content[..<half]))] + (gate.map { [.waitFor($0)] } ?? [])
        )
    }

    /// The requested range of content with this tag.
    private static func rest(_ request: RecordedRequest, tag: String = tag) -> Reply {
        guard let start = request.header("Range").flatMap({ Int($0.dropFirst(6).dropLast()) })
        else { return whole }
        let range = "bytes \(start)-\(content.count - 1)/\(content.count)"
        return Reply(
            206,
            headers: [("Content-Range", range), ("ETag", tag)],
            body: .bytes([UInt8](content[start...]))
        )
    }

    private static let whole = Reply(
        headers: [("ETag", tag)],
        body: .bytes([UInt8](content))
    )

    /// A server that answers by the number of the request, from 0.
    private static func server(
        _ answer: @escaping @Sendable (Int, RecordedRequest) -> Reply
    ) throws -> LoopbackServer {
        let count = Watched(0)
        return try LoopbackServer { request in
            answer(
                count.update { count in
                    defer { count += 1 }
                    return count
                },
                request
            )
        }
    }

    private func failure(of server: LoopbackServer, _ session: URLSession) async throws -> URLError
    {
        let url = try server.at("/file")
        return try await urlError { _ = try await session.download(from: url) }
    }

    /// Removes the partial file of unused resume data.
    private func remove(_ data: Data?) throws {
        let text = String(decoding: data ?? Data(), as: UTF8.self)
        let name = try #require(text.firstMatch(of: /CurlURLSessionDownload_[-0-9A-F]+\.tmp/)?.0)
        let folder = FileManager.default.temporaryDirectory
        try FileManager.default.removeItem(at: folder.appendingPathComponent(String(name)))
    }

    private func expectContent(
        resuming data: Data,
        _ session: URLSession,
        status: Int = 206,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let (file, response) = try await session.download(resumeFrom: data)
        let isSame = try Data(contentsOf: file) == Self.content
        #expect(isSame, sourceLocation: sourceLocation)
        #expect(
            (response as? HTTPURLResponse)?.statusCode == status,
            sourceLocation: sourceLocation
        )
        try FileManager.default.removeItem(at: file)
    }

    // MARK: Resume data

    @Test("E3: A failed download's error has resume data")
    func failedDownloadsErrorHasResumeData() async throws {
        let server = try Self.server { $0 == 0 ? Self.part() : Self.rest($1) }
        let session = URLSession.test()
        let error = try await failure(of: server, session)
        #expect(error.code == .networkConnectionLost)
        let data = try #require(error.downloadTaskResumeData)
        #expect(error.userInfo[NSURLSessionDownloadTaskResumeData] as? Data == data)
        #expect(error.userInfo[URLSessionDownloadTaskResumeData] as? Data == data)
        #expect(error.userInfo[NSUnderlyingErrorKey] != nil)
        try await expectContent(resuming: data, session)
        #expect(server.requests[1].header("Range") == "bytes=\(Self.half)-")
        #expect(server.requests[1].header("If-Range") == Self.tag)
    }

    @Test func delegatesAndHandlersGetResumeData() async throws {
        let server = try Self.server { _, _ in Self.part() }
        let url = try server.at("/file")
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        session.downloadTask(with: url).resume()
        let delegateData = try await delegate.failure().downloadTaskResumeData
        #expect(delegateData != nil)
        try remove(delegateData)
        #expect(!delegate.events.contains(.file))
        let handlerData: Data? = await awaitHandler { done in
            session.downloadTask(with: url) { _, _, error in
                done((error as? URLError)?.downloadTaskResumeData)
            }.resume()
        }
        #expect(handlerData != nil)
        try remove(handlerData)
        session.invalidateAndCancel()
    }

    @Test("E3: A cancelled download's error has the handler's resume data")
    func cancelledDownloadsErrorHasHandlersResumeData() async throws {
        let gate = Gate()
        let server = try Self.server { _, _ in Self.part(then: gate) }
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.downloadTask(with: try server.at("/"))
        task.resume()
        try await delegate.event { event in
            if case .wrote = event { true } else { false }
        }
        let handlerResult = Watched<(data: Data?, completions: Int)?>(nil)
        task.cancel { data in
            let count = delegate.errors.count
            handlerResult.update { $0 = (data, count) }
        }
        let error = try await delegate.failure()
        #expect(error.code == .cancelled)
        let (data, completions) = try await handlerResult.wait { $0 }
        #expect(data != nil)
        #expect(completions == 0, "the handler comes before the completion")
        #expect(error.downloadTaskResumeData == data)
        #expect((task.error as? URLError)?.downloadTaskResumeData == data)
        try remove(data)
        gate.open()
        session.invalidateAndCancel()
    }

    @Test func cancelledDownloadWithoutHandlerLeavesNothing() async throws {
        let gate = Gate()
        let server = try Self.server { _, _ in Self.part(then: gate) }
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        let task = session.downloadTask(with: try server.at("/"))
        task.resume()
        try await delegate.event { event in
            if case .wrote = event { true } else { false }
        }
        task.cancel()
        let late = Watched<Data??>(nil)
        task.cancel { data in late.update { $0 = .some(data) } }
        #expect(try await delegate.failure().downloadTaskResumeData == nil)
        #expect(try await late.wait { $0 } == nil)
        gate.open()
        session.invalidateAndCancel()
    }

    @Test func taskNeverStartedHasNoResumeData() async throws {
        let server = try Self.server { _, _ in Self.part() }
        let session = URLSession.test()
        let task = session.downloadTask(with: try server.at("/"))
        let data: Data? = await awaitHandler { done in task.cancel { done($0) } }
        #expect(data == nil)
        #expect(server.requestCount == 0)
    }

    @Test func sessionCanDiscardFailedDownloads() async throws {
        let server = try Self.server { _, _ in Self.part() }
        let session = URLSession.test { $0.keepsFailedDownloads = false }
        #expect(try await failure(of: server, session).downloadTaskResumeData == nil)
    }

    @Test(
        arguments: [
            ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT", true),
            ("Last-Modified", "Sun, 06 Nov 1994 08:49:38 GMT", false),
            ("Last-Modified", "recently", false), ("ETag", "W/\"one\"", false),
            ("X-None", "", false),
        ]
    )
    func resumeDataRequiresAStrongValidator(_ name: String, _ value: String, _ isStrong: Bool)
        async throws
    {
        let date = "Date: Sun, 06 Nov 1994 08:49:38 GMT"
        let server = try Self.server { number, request in
            number == 0 ? Self.part((name, value), [date]) : Self.rest(request)
        }
        let session = URLSession.test()
        let data = try await failure(of: server, session).downloadTaskResumeData
        #expect((data != nil) == isStrong)
        guard let data else { return }
        try await expectContent(resuming: data, session)
        #expect(server.requests[1].header("If-Range") == value)
    }

    // MARK: Responses to resumed downloads

    /// Changed content, a range that wasn't requested, a range of other content, and a 416.
    @Test(arguments: 0..<4)
    func downloadThatCannotResumeRestartsAtZero(_ way: Int) async throws {
        let server = try Self.server { number, request in
            switch (number, way) {
            case (0, _): return Self.part()
            case (1, 1):
                return Reply(
                    206,
                    headers: [("Content-Range", "bytes 1-3/\(Self.size)"), ("ETag", Self.tag)],
                    body: .bytes([1, 2, 3])
                )
            case (1, 2): return Self.rest(request, tag: "\"two\"")
            case (1, 3): return .status(416)
            default: return Self.whole
            }
        }
        let session = URLSession.test()
        let data = try #require(try await failure(of: server, session).downloadTaskResumeData)
        let content = Watched<Data?>(nil)
        let delegate = SessionDelegate { answers in
            answers.file = { url in content.update { $0 = try? Data(contentsOf: url) } }
        }
        let task = session.downloadTask(withResumeData: data)
        task.delegate = delegate
        task.resume()
        try await delegate.completion()
        #expect(content.read { $0 } == Self.content)
        #expect(delegate.events.first == .resumed(0, of: Self.size))
        #expect(server.requestCount == (way == 0 ? 2 : 3))
        if way > 0 { #expect(server.requests[2].header("Range") == nil) }
        // The partial file has been removed.
        let again = try await urlError { _ = try await session.download(resumeFrom: data) }
        #expect(again.code == .unsupportedURL)
    }

    @Test func failedRangeResponseKeepsResumeData() async throws {
        let server = try Self.server { number, request in
            switch number {
            case 0: Self.part()
            case 1: .steps([.close])
            case 2: .status(503)
            default: Self.rest(request)
            }
        }
        let session = URLSession.test()
        let first = try #require(try await failure(of: server, session).downloadTaskResumeData)
        let error = try await urlError { _ = try await session.download(resumeFrom: first) }
        let second = try #require(error.downloadTaskResumeData)
        let (file, response) = try await session.download(resumeFrom: second)
        #expect((response as? HTTPURLResponse)?.statusCode == 503)
        try FileManager.default.removeItem(at: file)
        try await expectContent(resuming: second, session)
    }

    @Test func downloadCanBeInterruptedRepeatedly() async throws {
        let server = try Self.server { number, request in
            switch number {
            case 0: return Self.part()
            case 1:
                let end = Self.half + Self.half / 2
                let range = "bytes \(Self.half)-\(Self.size - 1)/\(Self.size)"
                let head =
                    "HTTP/1.1 206 Partial\r\nContent-Range: \(range)\r\nETag: \(Self.tag)\r\n"
                    + "Content-Length: \(Self.content.count - Self.half)\r\n\r\n"
                return .steps([.send(head), .send([UInt8](Self.content[Self.half..<end]))])
            default: return Self.rest(request)
            }
        }
        let session = URLSession.test()
        let first = try #require(try await failure(of: server, session).downloadTaskResumeData)
        let error = try await urlError { _ = try await session.download(resumeFrom: first) }
        let second = try #require(error.downloadTaskResumeData)
        try await expectContent(resuming: second, session)
        #expect(server.requests[2].header("Range") == "bytes=\(Self.half + Self.half / 2)-")
    }

    /// A server may send less than the requested range (RFC 9110, 15.3.7).
    @Test func partOfTheMissingRangeIsNotComplete() async throws {
        let end = Self.half + 100
        let server = try Self.server { number, request in
            switch number {
            case 0: return Self.part()
            case 1:
                let range = "bytes \(Self.half)-\(end - 1)/\(Self.size)"
                return Reply(
                    206,
                    headers: [("Content-Range", range), ("ETag", Self.tag)],
                    body: .bytes([UInt8](Self.content[Self.half..<end]))
                )
            default: return Self.rest(request)
            }
        }
        let session = URLSession.test()
        let first = try #require(try await failure(of: server, session).downloadTaskResumeData)
        let error = try await urlError { _ = try await session.download(resumeFrom: first) }
        #expect(error.code == .networkConnectionLost)
        let second = try #require(error.downloadTaskResumeData)
        try await expectContent(resuming: second, session)
        #expect(server.requests[2].header("Range") == "bytes=\(end)-")
    }

    /// The file begins at the start of the part, so it can't be resumed.
    @Test func interruptedRangeRequestHasNoResumeData() async throws {
        let server = try Self.server { _, _ in
            let head =
                "HTTP/1.1 206 Partial\r\nContent-Range: bytes 1000-1999/\(Self.size)\r\n"
                + "ETag: \(Self.tag)\r\nContent-Length: 1000\r\n\r\n"
            return .steps([.send(head), .send([UInt8](Self.content[1_000..<1_300]))])
        }
        var request = URLRequest(url: try server.at("/file"))
        request.setValue("bytes=1000-1999", forHTTPHeaderField: "Range")
        let session = URLSession.test()
        let error = try await urlError { [request] in
            _ = try await session.download(for: request)
        }
        #expect(error.code == .networkConnectionLost)
        #expect(error.downloadTaskResumeData == nil)
    }

    // MARK: Invalid resume data

    @Test func resumeDataWritesOnlyToPartialFiles() async throws {
        let server = try Self.server { $0 == 0 ? Self.part() : Self.rest($1) }
        let session = URLSession.test()
        let data = try #require(try await failure(of: server, session).downloadTaskResumeData)
        let text = String(decoding: data, as: UTF8.self)
        let name = try #require(
            text.firstMatch(of: /CurlURLSessionDownload_([-0-9A-F]+)\.tmp/)?.1
        )
        let folder = FileManager.default.temporaryDirectory
        let precious = folder.appendingPathComponent("Precious_\(name).tmp")
        let left = folder.appendingPathComponent("CurlURLSessionDownload_\(name).tmp")
        try Self.content.write(to: precious)
        defer { try? FileManager.default.removeItem(at: precious) }
        let forged = Data(
            text.replacingOccurrences(of: "CurlURLSessionDownload_", with: "Precious_").utf8
        )
        let error = try await urlError { _ = try await session.download(resumeFrom: forged) }
        #expect(error.code == .unsupportedURL)
        // A symbolic link in the place of the file isn't followed.
        try remove(data)
        try FileManager.default.createSymbolicLink(at: left, withDestinationURL: precious)
        defer { try? FileManager.default.removeItem(at: left) }
        let linked = try await urlError { _ = try await session.download(resumeFrom: data) }
        #expect(linked.code == .unsupportedURL)
        #expect(try Data(contentsOf: precious) == Self.content)
        #expect(server.requestCount == 1)
    }

    /// The completed file belongs to its owner. Using the resume data again doesn't write to it.
    @Test func usedResumeDataIsInvalid() async throws {
        let server = try Self.server { $0 == 0 ? Self.part() : Self.rest($1) }
        let session = URLSession.test()
        let data = try #require(try await failure(of: server, session).downloadTaskResumeData)
        let (file, _) = try await session.download(resumeFrom: data)
        defer { try? FileManager.default.removeItem(at: file) }
        let error = try await urlError { _ = try await session.download(resumeFrom: data) }
        #expect(error.code == .unsupportedURL)
        #expect(try Data(contentsOf: file) == Self.content)
        #expect(server.requestCount == 2)
        session.invalidateAndCancel()
    }

    @Test func damagedResumeDataIsAtMostAnError() async throws {
        let server = try Self.server { $0 == 0 ? Self.part() : Self.rest($1) }
        let session = URLSession.test()
        let data = try #require(try await failure(of: server, session).downloadTaskResumeData)
        var random = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            var damaged = data
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<damaged.count, using: &random)
                damaged[index] = UInt8.random(in: .min ... .max, using: &random)
            }
            if Bool.random(using: &random) { damaged = damaged.prefix(damaged.count / 2) }
            // The task loads nothing. Only the parsing of its resume data is tested.
            let task = session.downloadTask(withResumeData: damaged)
            task.cancel()
        }
        #expect(server.requestCount == 1)
        try remove(data)
    }
}
