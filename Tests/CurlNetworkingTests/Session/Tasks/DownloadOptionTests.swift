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

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            at: file(name),
            withIntermediateDirectories: false
        )
    }

    private func server() throws -> LoopbackServer {
        let content = Content(bytes: content)
        return try LoopbackServer { content.interruptedReply(to: $0) }
    }

    @Test("A-29: The suggested destination uses the response's file name without its path")
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
        // Without the option, no file is replaced.
        await #expect(throws: (any Error).self) {
            _ = try await manager.download(for: request, options: options, to: destination)
        }
        _ = try await manager.download(for: request, options: .removePreviousFile, to: destination)
        let evil = try await manager.download(for: server.request("/evil"), to: destination)
        #expect(evil.file.deletingLastPathComponent().lastPathComponent == "new")
    }

    @Test("A-29: If replacing a file fails, the existing file stays")
    func existingFileStaysWhenReplacingFails() throws {
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

    @Test(
        "A-29: A file from another file system replaces a file, without leftovers",
        .enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm"))
    )
    func fileFromAnotherFileSystemReplacesAFile() throws {
        let memory = URL(fileURLWithPath: "/dev/shm/\(UUID().uuidString)")
        try Data("new".utf8).write(to: memory)
        defer { try? FileManager.default.removeItem(at: memory) }
        try folder.write("old", to: "file")
        try makeFolder("folder")
        #expect(throws: (any Error).self) {
            try FileManager.default.replaceItem(at: file("folder"), withFileAt: memory)
        }
        #expect(try folder.contents() == ["file", "folder"])
        try Data("new".utf8).write(to: memory)
        try FileManager.default.replaceItem(at: file("file"), withFileAt: memory)
        #expect(try folder.read("file") == Array("new".utf8))
        #expect(try folder.contents() == ["file", "folder"])
        #expect(!FileManager.default.fileExists(atPath: memory.path))
    }

    @Test("S-53, A-29: A file never replaces a folder")
    func aFolderIsNeverReplaced() async throws {
        let server = try LoopbackServer { _ in
            .text("hello").header("Content-Disposition", "attachment; filename=\"Documents\"")
        }
        try makeFolder("Documents")
        try folder.write("mine", to: "Documents/letter")
        let manager = URLSessionManager.test()
        let destination = URLSessionManager.suggestedDownloadDestination(in: file("."))
        let request = try server.request()
        let error = await failure {
            _ = try await manager.download(
                for: request,
                options: .removePreviousFile,
                to: destination
            )
        }
        let failed = try #require(error) as NSError
        #expect(failed.domain == NSPOSIXErrorDomain)
        #expect(failed.code == Int(POSIXErrorCode.EISDIR.rawValue))
        #expect(try folder.read("Documents/letter") == Array("mine".utf8))
        #expect(try folder.contents() == ["Documents"])
    }

    @Test("A-29: Concurrent moves to one name all succeed, and one file stays")
    func concurrentMovesToOneNameAllSucceed() async throws {
        let (file, count) = (file("file"), 200)
        try makeFolder("new")
        for number in 0..<count { try folder.write("\(number)", to: "new/\(number)") }
        let news = (0..<count).map { self.file("new/\($0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for new in news {
                group.addTask {
                    try FileManager.default.replaceItem(at: file, withFileAt: new)
                    // The file exists at any time.
                    #expect(try !Data(contentsOf: file).isEmpty)
                }
            }
            try await group.waitForAll()
        }
        #expect(try folder.contents().sorted() == ["file", "new"])
    }

    @Test("S-53, T-07: The body of a rejected response doesn't replace an existing file")
    func rejectedBodyReplacesNoFile() async throws {
        let server = try LoopbackServer { request in
            .text("refused", status: request.path == "/fine" ? 200 : 404)
        }
        try folder.write("good", to: "file")
        let manager = URLSessionManager.test()
        manager.responseSerializer = CompoundResponseSerializer(responseSerializers: [
            JSONResponseSerializer(), HTTPResponseSerializer(),
        ])
        let file = file("file")
        let completions = EventRecorder<Completion>()
        let task = manager.downloadTask(
            with: try server.request("/gone"),
            options: .removePreviousFile,
            destination: { _, _ in file },
            completionHandler: completions.downloadHandler
        )
        let recorder = NotificationRecorder(of: task)
        task.resume()
        let completion = try await completions.only()
        #expect(completion.file == file)
        #expect(completion.code == URLError.Code.badServerResponse.rawValue)
        let posted = try await recorder.first(.urlSessionDownloadTaskDidFailToMoveFile)
        #expect(posted.moveError?.domain == URLResponseSerializationErrorDomain)
        #expect(try folder.read("file") == Array("good".utf8))
        // The next response isn't rejected; then no file exists that could be replaced.
        let fine = try server.request("/fine")
        _ = try await manager.download(for: fine, options: .removePreviousFile) { _, _ in file }
        #expect(try folder.read("file") == Array("refused".utf8))
        try FileManager.default.removeItem(at: file)
        let gone = try server.request("/gone")
        let error = await failure {
            _ = try await manager.download(for: gone, options: .removePreviousFile) { _, _ in file }
        }
        #expect((error as NSError?)?.code == URLError.Code.badServerResponse.rawValue)
        #expect(try folder.read("file") == Array("refused".utf8))
        // A serializer that accepts the status lets the body replace the file.
        try folder.write("good", to: "file")
        let lenient = HTTPResponseSerializer()
        lenient.acceptableStatusCodes = nil
        manager.responseSerializer = lenient
        _ = try await manager.download(for: gone, options: .removePreviousFile) { _, _ in file }
        #expect(try folder.read("file") == Array("refused".utf8))
    }

    @Test("A-30: A cancelled async download can leave resume data, which resumes it")
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

    @Test("A-30: The error of a lost connection contains resume data")
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
        // The content has changed, so that the server sends it completely.
        _ = try await manager.download(resumeFrom: data) { _, _ in file }
        #expect(try folder.read("file") == content)
    }

    @Test("A-30: Resume data of another system is rejected with a reason")
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
            #expect(error.code == .unsupportedURL)
            let reason = (error as NSError).localizedFailureReason
            #expect(reason?.contains("resume data") == true)
        }
    }

    @Test("A-29: An HTTP manager resolves downloads against its base URL")
    func anHTTPManagerDownloads() async throws {
        let server = try LoopbackServer { .text($0.target) }
        let manager = HTTPSessionManager.forTest(server.at("/v1"))
        let file = file("file")
        _ = try await manager.download("thing", parameters: ["a": 1]) { _, _ in file }
        #expect(try folder.read("file") == Array("/v1/thing?a=1".utf8))
    }
}
