internal import Glibc
internal import Posix
internal import TestSupport
internal import Testing

@testable internal import CurlTransport

@Suite(.timeLimit(.minutes(10))) struct FileSourceTests {
    private let worker = BlockingWorker()
    private let wakes = Watched(0)

    private func source(
        _ path: String,
        from start: Int64 = 0
    ) throws -> (FileSource, FileBody) {
        let body = try FileBody(path: path, from: start, worker: worker)
        return (FileSource(body) { [wakes] in wakes.update { $0 += 1 } }, body)
    }

    /// Reads to the end in pieces of random size, as the loop does.
    private func readAll(
        _ source: FileSource,
        from start: Int64 = 0,
        seed: UInt64
    ) async throws -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        var taken: [UInt8] = []
        while true {
            var answer = BodySource.Answer.end
            let seen = wakes.read { $0 }
            let bytes = [UInt8](capacity: Int.random(in: 1...400_000, using: &random)) { output in
                answer = source.fill(&output, from: start + Int64(taken.count))
            }
            taken += bytes
            switch answer {
            case .bytes: #expect(!bytes.isEmpty)
            case .pending: try await wakes.wait { $0 > seen ? () : nil }
            case .end: return taken
            case .failure(let error): throw error
            }
        }
    }

    private func contents(_ count: Int) -> [UInt8] {
        var random = SeededGenerator(seed: 7)
        return [UInt8](count: count) { _ in UInt8.random(in: 0...255, using: &random) }
    }

    /// In memory, on disk, and on disk without cached pages.
    @Test(arguments: ["/dev/shm", "/var/tmp"], [false, true])
    func fileContentIsUnchangedWhetherCachedOrNot(folder: String, isForgotten: Bool) async throws {
        let whole = contents(1_500_000)
        let path = "\(folder)/curlnetworking-upload-\(getpid())-\(isForgotten)"
        let file = try #require(unsafe fopen(path, "w"))
        #expect(unsafe fwrite(whole, 1, whole.count, file) == whole.count)
        unsafe fflush(file)
        if isForgotten {
            fsync(unsafe fileno(file))
            posix_fadvise(unsafe fileno(file), 0, 0, POSIX_FADV_DONTNEED)
        }
        unsafe fclose(file)
        let (source, _) = try source(path)
        let (rest, _) = try self.source(path, from: 700_000)
        // The open descriptor outlives the name: the original file is sent.
        unlink(path)
        #expect(try await readAll(rest, seed: 4) == Array(whole[700_000...]))
        #expect(try await readAll(rest, from: 99_999, seed: 5) == Array(whole[799_999...]))
        #expect(try await readAll(source, seed: 1) == whole)
        #expect(try await readAll(source, from: 1_234_567, seed: 2) == Array(whole[1_234_567...]))
        #expect(try await readAll(source, seed: 3) == whole)
        worker.stop()
    }

    @Test func emptyFileEndsImmediately() async throws {
        let folder = try TemporaryDirectory()
        let (source, _) = try source(try folder.write([], to: "empty"))
        #expect(try await readAll(source, seed: 1).isEmpty)
        worker.stop()
    }

    @Test func truncatedFileIsAnError() async throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(contents(100_000), to: "upload")
        let (source, body) = try source(path)
        #expect(unsafe truncate(path, 50_000) == 0)
        let error = try await #require(throws: TransportError.self) {
            try await readAll(source, seed: 1)
        }
        #expect(error.code == .requestBodyFailed)
        #expect(error.message.contains("\(body.size) bytes"))
        worker.stop()
    }

    @Test func grownFileIsSentWithItsOriginalLength() async throws {
        let folder = try TemporaryDirectory()
        let whole = contents(100_000)
        let path = try folder.write(whole, to: "upload")
        let (source, _) = try source(path)
        #expect(unsafe truncate(path, 200_000) == 0)
        #expect(try await readAll(source, seed: 1) == whole)
        worker.stop()
    }
}
