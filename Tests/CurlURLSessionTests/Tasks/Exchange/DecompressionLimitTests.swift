internal import CurlTransport
internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

/// Tests the limit for compressed content that expands excessively.
@Suite(.timeLimit(.minutes(10))) struct DecompressionLimitTests {
    private static var isAvailable: Bool { Executable.path("gzip") != nil }

    /// Zeros of that many megabytes, compressed `times` times with `gzip`.
    private static func bomb(megabytes: Int, times: Int) async throws -> [UInt8] {
        let folder = try TemporaryDirectory()
        let file = folder.path("bomb")
        let pipe = String(repeating: " | gzip -9", count: times)
        let command = "head -c \(megabytes * 1_000_000) /dev/zero\(pipe) > \(file)"
        _ = try await NativeThread.run("gzip") {
            try ChildProcess.run(["/bin/sh", "-c", command])
        }
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    }

    private static func server(
        _ content: [UInt8],
        times: Int = 1,
        isChunked: Bool = false
    ) throws -> LoopbackServer {
        let coding = Array(repeating: "gzip", count: times).joined(separator: ", ")
        return try LoopbackServer { _ in
            Reply(
                headers: [("Content-Encoding", coding)],
                body: isChunked ? .chunks([content], trailers: []) : .bytes(content)
            )
        }
    }

    @Test(
        "D8: Loading a decompression bomb fails before it fills the memory",
        .enabled(if: isAvailable),
        arguments: [(1, false), (1, true), (2, false)]
    )
    func decompressionBombFailsBeforeFillingMemory(_ times: Int, _ isChunked: Bool) async throws {
        let bomb = try await Self.bomb(megabytes: 90, times: times)
        #expect(bomb.count < 1_000_000)
        let server = try Self.server(bomb, times: times, isChunked: isChunked)
        let url = try server.at("/")
        let session = URLSession.test()
        let error = try await urlError { _ = try await session.data(from: url) }
        #expect(error.code == .dataLengthExceedsMaximum)
        #expect(error.reason.contains("expand"), "\(error)")
        let task = Watched<URLSessionTask?>(nil)
        let handlerError: URLError? = await awaitHandler { done in
            let made = session.dataTask(with: url) { data, _, error in
                done(data == nil ? error as? URLError : nil)
            }
            task.update { $0 = made }
            made.resume()
        }
        #expect(handlerError != nil)
        #expect(try #require(task.read { $0 }).countOfBytesReceived < 80 << 20)
    }

    @Test("D8: The decompression limit can be set", .enabled(if: isAvailable))
    func decompressionLimitCanBeSet() async throws {
        let megabytes = 10
        let server = try Self.server(try await Self.bomb(megabytes: megabytes, times: 1))
        let url = try server.at("/")
        let limits: [(DecompressionLimit?, isLetThrough: Bool)] = [
            (DecompressionLimit(), true), (nil, true),
            (DecompressionLimit(bytes: 1_000_000, ratio: 100), false),
            (DecompressionLimit(bytes: 1_000_000, ratio: 2_000), true),
        ]
        for (limit, isLetThrough) in limits {
            let session = URLSession.test { $0.decompressionLimit = limit }
            let result = await Result(catching: { try await session.data(from: url) })
            switch result {
            case .success(let (data, _)):
                #expect(isLetThrough)
                #expect(data.count == megabytes * 1_000_000)
            case .failure(let error):
                #expect(!isLetThrough)
                #expect((error as? URLError)?.code == .dataLengthExceedsMaximum)
            }
        }
    }

    @Test(.enabled(if: isAvailable))
    func uncollectedBodyIsNotLimited() async throws {
        let server = try Self.server(try await Self.bomb(megabytes: 1, times: 1))
        let url = try server.at("/")
        let delegate = SessionDelegate()
        let session = URLSession.test(delegate: delegate) {
            $0.decompressionLimit = DecompressionLimit(bytes: 1_000, ratio: 1)
        }
        session.dataTask(with: url).resume()
        try await delegate.completion()
        #expect(delegate.data.count == 1_000_000)
        let (file, _) = try await session.download(from: url)
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.size] as? UInt64 == 1_000_000)
        try FileManager.default.removeItem(at: file)
        let (bytes, _) = try await session.bytes(from: url)
        var count = 0
        for try await _ in bytes { count += 1 }
        #expect(count == 1_000_000)
        session.invalidateAndCancel()
    }
}

extension Result where Failure == any Error {
    /// The value or error of `body`.
    fileprivate init(catching body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
