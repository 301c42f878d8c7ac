internal import CurlTransport
internal import Foundation
internal import HTTPTypes
internal import Posix
internal import TestSupport
internal import Testing

/// A separate thread writes downloads to disk; the loop writes those in memory.
@Suite(.timeLimit(.minutes(10))) struct HTTPClientDownloadTests {
    /// Folders on disk and in memory that have room for all tests.
    ///
    /// Only writable folders with more than 512 MiB free are used.
    static let places = ["/var/tmp", "/dev/shm"].filter { folder in
        let facts = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        let free = (facts?[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
        return FileManager.default.isWritableFile(atPath: folder) && free > 512 << 20
    }

    @Test(arguments: places)
    func downloadIsWrittenCompletelyOrNotAtAll(_ place: String) async throws {
        let directory = try TemporaryDirectory(in: place)
        let bytes = RequestBodyTests.bytes(3 << 20)
        let server = try LoopbackServer { request in
            request.path == "/ok"
                ? .bytes(bytes)
                : Reply(headers: [("Content-Length", "9")], body: .steps([.send("abc"), .close]))
        }
        let client = try HTTPClient()
        let path = directory.path("file")
        try directory.write("old", to: "file")
        let error = await #expect(throws: TransportError.self) {
            try await client.download(HTTPRequest(url: server.url + "/broken"), to: path)
        }
        #expect(error?.code == .truncatedResponse)
        #expect(try directory.read("file") == Array("old".utf8))
        #expect(try directory.contents() == ["file"])
        let response = try await client.download(HTTPRequest(url: server.url + "/ok"), to: path)
        #expect(response.metrics?.bodyBytes == Int64(bytes.count))
        #expect(try directory.read("file") == bytes)
        #expect(try directory.contents() == ["file"])
        let nowhere = await #expect(throws: TransportError.self) {
            try await client.download(
                HTTPRequest(url: server.url + "/ok"),
                to: directory.path("missing/file")
            )
        }
        #expect(nowhere?.code == .fileWriteFailed)
    }

    @Test(arguments: places)
    func cancelledDownloadLeavesNoFile(_ place: String) async throws {
        let directory = try TemporaryDirectory(in: place)
        let hasComeFar = Gate()
        // Socket buffers and windows hold far less, so most of it is in the file by then.
        let most = RequestBodyTests.bytes(48 << 20)
        let server = try LoopbackServer { _ in
            Reply(
                headers: [("Content-Length", "\(most.count + 1)")],
                body: .steps([.send(most), .open(hasComeFar), .stall])
            )
        }
        let client = try HTTPClient()
        try directory.write("old", to: "file")
        let (url, path) = (server.url, directory.path("file"))
        let task = Task { try await client.download(HTTPRequest(url: url), to: path) }
        try await hasComeFar.wait()
        #expect(try directory.contents().count == 2)
        task.cancel()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.isCancelled == true)
        #expect(try directory.contents() == ["file"])
        #expect(try directory.read("file") == Array("old".utf8))
        try await server.connectionClosed(0)
    }

    @Test(arguments: [0, 1, 40 << 20], places)
    func downloadsOfAllSizesAreWritten(_ size: Int, _ place: String) async throws {
        let directory = try TemporaryDirectory(in: place)
        let bytes = RequestBodyTests.bytes(size)
        let server = try LoopbackServer {
            $0.path == "/length" ? .bytes(bytes) : Reply(body: .untilClosed(bytes))
        }
        let client = try HTTPClient()
        let path = directory.path("file")
        for target in ["/length", "/none"] {
            let request = try HTTPRequest(url: server.url + target)
            let response = try await client.download(request, to: path)
            #expect(response.metrics?.bodyBytes == Int64(size))
            let isIntact = try directory.read("file") == bytes
            #expect(isIntact)
        }
        await client.shutdown()
    }

    /// The loop never waits for a disk, because it runs all other transfers.
    @Test(
        .enabled(if: FileManager.default.isReadableFile(atPath: "/proc/self/io")),
        arguments: places
    )
    func loopWritesOnlyFilesInMemory(_ place: String) async throws {
        let directory = try TemporaryDirectory(in: place)
        let bytes = RequestBodyTests.bytes(3 << 20)
        let server = try LoopbackServer { _ in .bytes(bytes) }
        let arguments = ["download", server.url, "4000000", directory.path("file")]
        let run = try await ProbeRun("TransportProbe", arguments)
        #expect(run.status == 0, "\(run.output)")
        // Besides the body, each thread writes a few bytes to wake other threads.
        let byLoop = try #require(run.value("curl-loop"))
        let byFiles = try #require(run.value("curl-files"))
        if try TemporaryFile(for: directory.path("other")).isInMemory {
            #expect(byLoop >= bytes.count, "\(run.output)")
        } else {
            #expect(byLoop < 100_000 && byFiles >= bytes.count, "\(run.output)")
        }
        let isIntact = try directory.read("file") == bytes
        #expect(isIntact)
    }

    @Test(
        "A decompression bomb is written in bounded memory, and at its limit the file is removed",
        .enabled(if: FileManager.default.isReadableFile(atPath: "/proc/self/io")),
        .serialized,
        arguments: Bomb.all
    )
    func bombIsWrittenInBoundedMemory(_ bomb: Bomb) async throws {
        let directory = try TemporaryDirectory()
        let server = try LoopbackServer.scripted([.readHead] + bomb.steps)
        let limit = 64 << 20
        let arguments = ["bomb-download", server.url, "\(limit)", directory.path("file")]
        let run = try await ProbeRun("TransportProbe", arguments)
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("code=responseTooLarge\n"), "\(run.output)")
        // Without what the window held at the end.
        #expect(try #require(run.value("written")) > limit / 2, "\(run.output)")
        // The process alone takes 20 MB. Sanitizers keep freed memory.
        let peak = try #require(run.value("peak"))
        #expect(peak < Rounds.count(64, few: 400) << 20, "\(run.output)")
        #expect(try directory.contents().isEmpty)
    }

    @Test(arguments: places)
    func fileSizeLimitFailsOnlyItsDownload(_ place: String) async throws {
        let directory = try TemporaryDirectory(in: place)
        let bytes = RequestBodyTests.bytes(3 << 20)
        let server = try LoopbackServer { _ in .bytes(bytes) }
        try directory.write("old", to: "file")
        let arguments = ["download", server.url, "1000000", directory.path("file")]
        let run = try await ProbeRun("TransportProbe", arguments)
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("code=fileWriteFailed\n"), "\(run.output)")
        #expect(run.value("errno") == Int(EFBIG))
        #expect(run.value("next") == bytes.count)
        #expect(try directory.contents() == ["file"])
        #expect(try directory.read("file") == Array("old".utf8))
    }
}
