internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

@Suite(.timeLimit(.minutes(10))) struct DownloadTests {
    private static let content = Data(
        [UInt8](count: 3_000_000) { UInt8(truncatingIfNeeded: $0 &* 13) }
    )

    private static func server() throws -> LoopbackServer {
        try LoopbackServer { _ in .bytes([UInt8](content)) }
    }

    private static func exists(_ url: URL?) -> Bool {
        url.map { FileManager.default.fileExists(atPath: $0.path) } ?? false
    }

    @Test func awaitedFileBelongsToTheCaller() async throws {
        let server = try Self.server()
        let (file, response) = try await URLSession.test().download(from: server.at("/x"))
        #expect(try Data(contentsOf: file) == Self.content)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        try FileManager.default.removeItem(at: file)
    }

    @Test func emptyContentMakesAnEmptyFile() async throws {
        let server = try LoopbackServer { _ in .bytes([]) }
        let (file, _) = try await URLSession.test().download(from: server.at("/x"))
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.size] as? UInt64 == 0)
        try FileManager.default.removeItem(at: file)
    }

    @Test("B7: A download's file is removed when the completion handler returns")
    func aHandlersFileIsRemoved() async throws {
        let server = try Self.server()
        let session = URLSession.test()
        let url = try server.at("/")
        let (file, size): (URL?, Int?) = await awaitHandler { done in
            session.downloadTask(with: url) { file, _, _ in
                done((file, file.flatMap { try? Data(contentsOf: $0) }?.count))
            }.resume()
        }
        #expect(size == Self.content.count)
        await awaitHandler { done in session.delegateQueue.addOperation { done(()) } }
        #expect(!Self.exists(file))
    }

    @Test func downloadEventsHaveTheirOrder() async throws {
        let server = try Self.server()
        let found = Watched<(url: URL?, data: Data?)>((nil, nil))
        let delegate = SessionDelegate { answers in
            answers.file = { url in found.update { $0 = (url, try? Data(contentsOf: url)) } }
        }
        let session = URLSession.test(delegate: delegate)
        let task = session.downloadTask(with: try server.at("/"))
        task.resume()
        try await delegate.completion()
        #expect(delegate.milestones == [.file, .metrics(transactions: 1), .completed(nil)])
        let size = Int64(Self.content.count)
        let written = delegate.events.compactMap { event -> Int64? in
            guard case .wrote(let total, of: size) = event else { return nil }
            return total
        }
        #expect(written.last == size)
        #expect(written == written.sorted())
        #expect(found.read { $0.data } == Self.content)
        #expect(!Self.exists(found.read { $0.url }))
        #expect(task.countOfBytesReceived == size)
        session.invalidateAndCancel()
    }

    /// The last bytes may be written together with the end of the content.
    @Test func lastBytesAreReported() async throws {
        let content = Data(Self.content.prefix(300_000))
        let server = try LoopbackServer { _ in .bytes([UInt8](content)) }
        for _ in 0..<20 {
            let delegate = SessionDelegate()
            let session = URLSession.test(delegate: delegate)
            session.downloadTask(with: try server.at("/")).resume()
            try await delegate.completion()
            let written = delegate.events.last { event in
                if case .wrote = event { true } else { false }
            }
            #expect(written == .wrote(Int64(content.count), of: Int64(content.count)))
            session.invalidateAndCancel()
        }
    }

    @Test func movedFileStays() async throws {
        let server = try Self.server()
        let folder = try TemporaryDirectory()
        let target = URL(fileURLWithPath: folder.path("kept"))
        let delegate = SessionDelegate { answers in
            answers.file = { try? FileManager.default.moveItem(at: $0, to: target) }
        }
        let session = URLSession.test(delegate: delegate)
        session.downloadTask(with: try server.at("/")).resume()
        try await delegate.completion()
        #expect(try Data(contentsOf: target) == Self.content)
        session.invalidateAndCancel()
    }

    @Test func failedDownloadLeavesNoFile() async throws {
        let server = try LoopbackServer.scripted([
            .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"), .close,
        ])
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate)
        session.downloadTask(with: try server.at("/")).resume()
        #expect(try await delegate.failure().code == .networkConnectionLost)
        #expect(!delegate.events.contains(.file))
        session.invalidateAndCancel()
    }

    // MARK: Resuming

    /// A server that sends half of the content, waits at the gate, and serves ranges.
    private static func resumable(
        _ gate: Gate,
        tag: @escaping @Sendable (Int) -> String = { _ in "\"one\"" }
    ) throws -> LoopbackServer {
        let half = content.count / 2
        let served = Watched(0)
        return try LoopbackServer { request in
            let count = served.update { count in
                count += 1
                return count
            }
            let tag = tag(count)
            guard let range = request.header("Range"), request.header("If-Range") == tag,
                let start = Int(range.dropFirst("bytes=".count).dropLast())
            else {
                let head =
                    "HTTP/1.1 200 OK\r\nContent-Length: \(content.count)\r\nETag: \(tag)\r\n\r\n"
                return .steps([
                    .send(head), .send([UInt8](content[..<half])), .waitFor(gate),
                    .send([UInt8](content[half...])),
                ])
            }
            return Reply(
                206,
                headers: [
                    ("Content-Range", "bytes \(start)-\(content.count - 1)/\(content.count)"),
                    ("ETag", tag),
                ],
                body: .bytes([UInt8](content[start...]))
            )
        }
    }

    private func resumeData(_ server: LoopbackServer, _ session: URLSession) async throws -> Data? {
        let delegate = SessionDelegate()
        let task = session.downloadTask(with: try server.at("/"))
        task.delegate = delegate
        task.resume()
        try await delegate.event { event in
            if case .wrote = event { true } else { false }
        }
        let data = Watched<Data??>(nil)
        task.cancel { made in data.update { $0 = .some(made) } }
        try await delegate.completion()
        return try await data.wait { $0 }
    }

    @Test("E3: A cancelled download resumes where it stopped")
    func cancelledDownloadResumesWhereItStopped() async throws {
        let gate = Gate()
        let server = try Self.resumable(gate)
        let session = URLSession.test()
        let data = try #require(try await resumeData(server, session))
        let content = Watched<Data?>(nil)
        let delegate = SessionDelegate { answers in
            answers.file = { url in content.update { $0 = try? Data(contentsOf: url) } }
        }
        let task = session.downloadTask(withResumeData: data)
        task.delegate = delegate
        task.resume()
        try await delegate.completion()
        #expect(content.read { $0 } == Self.content)
        let resumed = delegate.events.first { event in
            if case .resumed = event { true } else { false }
        }
        guard case .resumed(let offset, let total) = resumed else {
            Issue.record("the delegate didn't get the resume offset")
            return
        }
        #expect(offset > 0)
        #expect(total == Int64(Self.content.count))
        #expect(server.requests[1].header("Range") == "bytes=\(offset)-")
        gate.open()
        session.invalidateAndCancel()
    }

    @Test("E3: A resumed download restarts when the ETag has changed")
    func resumedDownloadRestartsWhenETagChanged() async throws {
        let gate = Gate()
        let server = try Self.resumable(gate) { "\"\($0)\"" }
        let session = URLSession.test()
        let data = try #require(try await resumeData(server, session))
        gate.open()
        let (file, response) = try await session.download(resumeFrom: data)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(try Data(contentsOf: file) == Self.content)
        try FileManager.default.removeItem(at: file)
        session.invalidateAndCancel()
    }

    @Test("E3: A download without a strong validator has no resume data")
    func downloadWithoutStrongValidatorHasNoResumeData() async throws {
        let gate = Gate()
        let server = try Self.resumable(gate) { "W/\"\($0)\"" }
        let session = URLSession.test()
        #expect(try await resumeData(server, session) == nil)
        gate.open()
        session.invalidateAndCancel()
    }

    @Test(
        "Data that isn't resume data gives a task that ends with the error of an unsupported URL",
        arguments: ["", "{}", "no resume data"]
    )
    func foreignResumeDataIsAnError(_ text: String) async throws {
        let session = URLSession.test()
        let error = try await urlError {
            _ = try await session.download(resumeFrom: Data(text.utf8))
        }
        #expect(error.code == .unsupportedURL)
    }
}
