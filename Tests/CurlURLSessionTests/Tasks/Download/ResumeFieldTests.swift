internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests the header fields that a resumed download sends.
///
/// The optimised library of an earlier version lost them or wrote to freed memory.
@Suite(.timeLimit(.minutes(10))) struct ResumeFieldTests {
    private static let content = [UInt8](count: 400_000) { UInt8(truncatingIfNeeded: $0 &* 11) }
    private static let half = content.count / 2
    private static let tag = "\"one\""

    /// The fields that the program sets. There are several, so that a loop sets them.
    private static let fields = [
        ("Authorization", "Bearer one.two.three"), ("Accept", "application/octet-stream"),
        ("X-Client", "a client with a name that is longer than fifteen bytes"), ("X-Trace", "7"),
    ]

    enum Answer: String, CaseIterable {
        case rest, whole, rangeNotSatisfiable, partFromElsewhere
    }

    private static func reply(_ answer: Answer, to request: RecordedRequest) -> Reply {
        switch answer {
        case .rest where request.header("Range") == "bytes=\(half)-":
            Reply(
                206,
                headers: [
                    ("Content-Range", "bytes \(half)-\(content.count - 1)/\(content.count)"),
                    ("ETag", tag),
                ],
                body: .bytes([UInt8](content[half...]))
            )
        case .rangeNotSatisfiable where request.header("Range") != nil: .status(416)
        case .partFromElsewhere where request.header("Range") != nil:
            Reply(
                206,
                headers: [("Content-Range", "bytes 1-3/\(content.count)"), ("ETag", tag)],
                body: .bytes([1, 2, 3])
            )
        default: Reply(headers: [("ETag", tag)], body: .bytes(content))
        }
    }

    @Test(
        "A resumed download sends all header fields that the program set",
        arguments: Answer.allCases
    )
    func resumedDownloadSendsTheProgramsFields(_ answer: Answer) async throws {
        let isFirst = Watched(true)
        let server = try LoopbackServer { request in
            let begins = isFirst.update { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard begins else { return Self.reply(answer, to: request) }
            let head =
                "HTTP/1.1 200 OK\r\nContent-Length: \(Self.content.count)\r\nETag: \(Self.tag)\r\n\r\n"
            return .steps([.send(head), .send([UInt8](Self.content[..<Self.half]))])
        }
        let session = URLSession.test()
        var request = URLRequest(url: try server.at("/file"))
        for (name, value) in Self.fields { request.setValue(value, forHTTPHeaderField: name) }
        let error = try await urlError { [request] in
            _ = try await session.download(for: request)
        }
        let data = try #require(error.downloadTaskResumeData)
        let (file, _) = try await session.download(resumeFrom: data)
        #expect(try Data(contentsOf: file) == Data(Self.content))
        try FileManager.default.removeItem(at: file)
        #expect(server.requestCount > 1)
        for sent in server.requests {
            for (name, value) in Self.fields { #expect(sent.headers(name) == [value]) }
        }
        #expect(server.requests[1].header("Range") == "bytes=\(Self.half)-")
        #expect(server.requests[1].header("If-Range") == Self.tag)
        if server.requestCount > 2 {
            #expect(server.requests[2].header("Range") == nil)
            #expect(server.requests[2].header("If-Range") == nil)
        }
        session.invalidateAndCancel()
    }
}
