internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

@Suite(.timeLimit(.minutes(10))) struct DownloadOptionTests {
    private let folder: TemporaryDirectory
    private let content = [UInt8](repeating: 7, count: 200_000)

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func file(_ name: String) -> URL { URL(fileURLWithPath: folder.path(name)) }

    /// Sends half of the content and no more; the rest to whoever asks for it.
    private func server() throws -> LoopbackServer {
        let (content, half) = (content, content.count / 2)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(content.count)\r\nETag: \"a\"\r\n\r\n"
        return try LoopbackServer { request in
            guard let start = request.header("Range").flatMap({ Int($0.dropFirst(6).dropLast()) })
            else { return .steps([.send(head), .send([UInt8](content[..<half])), .stall]) }
            let range = "bytes \(start)-\(content.count - 1)/\(content.count)"
            return Reply(
                206,
                headers: [("Content-Range", range), ("ETag", "\"a\"")],
                body: .bytes([UInt8](content[start...]))
            )
        }
    }

    @Test("A-29: a file gets the name that the response suggests, and no path")
    func aFileGetsTheSuggestedName() async throws {
        let server = try LoopbackServer { request in
            let name = request.path == "/evil" ? "../../evil" : "report.txt"
            return .text("hello").header("Content-Disposition", "attachment; filename=\"\(name)\"")
        }
        let manager = URLSessionManager.test()
        let destination = URLSessionManager.suggestedDownloadDestination(in: file("new"))
        let request = try server.request("/x")
        let options: DownloadOptions = .createIntermediateDirectories
        let first = try await manager.download(for: request, options: options, to: destination)
        #expect(first.file == file("new").appendingPathComponent("report.txt"))
        #expect(try folder.read("new/report.txt") == Array("hello".utf8))
        // Nothing is replaced unless that is wanted.
        await #expect(throws: (any Error).self) {
            _ = try await manager.download(for: request, options: options, to: destination)
        }
        _ = try await manager.download(for: request, options: .removePreviousFile, to: destination)
        let evil = try await manager.download(for: server.request("/evil"), to: destination)
        #expect(evil.file.deletingLastPathComponent().lastPathComponent == "new")
    }

    @Test("A-29: a file that can't be replaced by a new one is still there")
    func aFileThatCanNotBeReplacedIsStillThere() throws {
        try folder.write("old", to: "file")
        #expect(throws: (any Error).self) {
            try FileManager.default.replaceItem(at: file("file"), withFileAt: file("missing"))
        }
        #expect(try folder.read("file") == Array("old".utf8))
        try folder.write("new", to: "other")
        try FileManager.default.replaceItem(at: file("file"), withFileAt: file("other"))
        #expect(try folder.read("file") == Array("new".utf8))
        #expect(try folder.contents() == ["file"])
    }

    @Test("A-30: a Swift task that is cancelled may leave resume data, and another one goes on")
    func aCancelledSwiftTaskLeavesResumeData() async throws {
        let server = try server()
        let manager = URLSessionManager.test()
        let (half, wrote) = (content.count / 2, Gate())
        manager.setDownloadTaskDidWriteData { _, _, _, total, _ in
            if total == half { wrote.open() }
        }
        let (request, file) = (try server.request(), file("file"))
        let task = Task {
            try await manager.download(for: request, options: .keepResumeDataWhenCancelled) {
                _,
                _ in file
            }
        }
        try await wrote.wait()
        task.cancel()
        let error = await failure { _ = try await task.value }
        let sorted = NetworkingError(try #require(error))
        #expect(sorted.isCancelled)
        let data = try #require(sorted.resumeData)
        let resumed = try await manager.download(resumeFrom: data) { _, _ in file }
        #expect(resumed.file == file)
        #expect(try folder.read("file") == content)
        #expect(server.requests.last?.header("If-Range") == "\"a\"")
    }

    @Test("A-30: a connection that is lost leaves resume data in its error")
    func aLostConnectionLeavesResumeData() async throws {
        let (content, half) = (content, content.count / 2)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(content.count)\r\nETag: \"a\"\r\n\r\n"
        let server = try LoopbackServer { request in
            guard request.header("Range") != nil else {
                return .steps([.send(head), .send([UInt8](content[..<half]))])
            }
            return Reply(body: .bytes(content))
        }
        let manager = URLSessionManager.test()
        let (request, file) = (try server.request(), file("file"))
        let error = await failure {
            _ = try await manager.download(for: request) { _, _ in file }
        }
        let failed = NetworkingError(try #require(error))
        let data = try #require(failed.resumeData)
        // The content is another one by now, and comes as a whole.
        _ = try await manager.download(resumeFrom: data) { _, _ in file }
        #expect(try folder.read("file") == content)
    }

    @Test("A-30: what another system calls resume data is refused with a reason")
    func foreignResumeDataIsRefused() async throws {
        let manager = URLSessionManager.test()
        let list = try PropertyListSerialization.data(
            fromPropertyList: ["NSURLSessionResumeInfoVersion": 2],
            format: .xml,
            options: 0
        )
        let file = file("file")
        for data in [list, Data(), Data("{}".utf8)] {
            let error = try await urlError {
                _ = try await manager.download(resumeFrom: data) { _, _ in file }
            }
            #expect(error.code == .cannotDecodeRawData)
            #expect(error.localizedDescription.contains("resume data"))
        }
    }

    @Test("A-29: an HTTP manager downloads by its base URL")
    func anHTTPManagerDownloads() async throws {
        let server = try LoopbackServer { .text($0.target) }
        let manager = HTTPSessionManager.forTest(server.at("/v1"))
        let file = file("file")
        _ = try await manager.download("thing", parameters: ["a": 1]) { _, _ in file }
        #expect(try folder.read("file") == Array("/v1/thing?a=1".utf8))
    }
}
