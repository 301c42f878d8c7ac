import Foundation
import TestSupport
import Testing

@testable import BatchFetch

/// Writes tar files and reads them with the tar program.
@Suite(.timeLimit(.minutes(10))) struct TarArchiveTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func fetch(
        _ urls: [String],
        _ limit: ArchiveLimit
    ) async throws -> (results: [BatchResult], failure: BatchFailure?) {
        let configuration = BatchConfiguration(output: .tar(in: folder.path, limit: limit))
        let run = try Batch(configuration).start(.urls(urls))
        var results: [BatchResult] = []
        for await result in run { results.append(result) }
        return (results.sorted { $0.ordinal < $1.ordinal }, run.outputFailure)
    }

    private func tar(_ arguments: String...) throws -> String {
        let (status, output) = try ChildProcess.run(["/bin/tar"] + arguments)
        #expect(status == 0, "\(output)")
        return output
    }

    @Test func tarContainsBodiesAndTheirMetadata() async throws {
        let large = [UInt8](repeating: 7, count: 700_001)
        let server = try LoopbackServer { request in
            switch request.target {
            case "/large.bin": .bytes(large)
            case "/empty": .text("")
            case "/missing": .status(404)
            default: .text("hello")
            }
        }
        let (results, failure) = try await fetch(
            ["/a.jpg", "/large.bin", "/empty", "/missing", "/x.json"].map { server.url + $0 },
            .entries(100)
        )
        #expect(failure == nil)
        #expect(results.map(\.isFetched) == [true, true, true, false, true])
        #expect(results[3].shard == nil)
        #expect(try folder.contents() == ["shard-00000.tar"])
        let path = folder.path("shard-00000.tar")
        let names = try tar("tf", path).split(separator: "\n").map(String.init).sorted()
        #expect(
            names == [
                "000000001.jpg", "000000001.json", "000000002.bin", "000000002.json",
                "000000003.json", "000000003.txt", "000000005.body.json", "000000005.json",
            ]
        )
        _ = try tar("xf", path, "-C", folder.path)
        #expect(try folder.read("000000001.jpg") == Array("hello".utf8))
        #expect(try folder.read("000000002.bin") == large)
        #expect(try folder.read("000000003.txt").isEmpty)
        let description = try JSONSerialization.jsonObject(
            with: Data(try folder.read("000000002.json"))
        )
        let fields = try #require(description as? [String: Any])
        #expect(fields["url"] as? String == server.url + "/large.bin")
        #expect(fields["decoded_bytes"] as? Int == large.count)
        // The offset is that of the member's header, which begins with its name.
        let bytes = try folder.read("shard-00000.tar")
        for result in results where result.shard != nil {
            let offset = Int(try #require(result.shardOffset))
            let digits = "00000000\(result.ordinal)."
            #expect(bytes[offset...].starts(with: Array(digits.utf8)))
        }
    }

    @Test func fullShardIsClosedAndTheNextOneStarted() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        let urls = (0..<25).map { "\(server.url)/\($0)" }
        let (results, _) = try await fetch(urls, .entries(10))
        #expect(
            try folder.contents() == ["shard-00000.tar", "shard-00001.tar", "shard-00002.tar"]
        )
        #expect(Set(results.compactMap(\.shard)) == Set(try folder.contents()))
        var count = 0
        for name in try folder.contents() {
            count += try tar("tf", folder.path(name)).split(separator: "\n").count
        }
        #expect(count == 50)
    }

    @Test func secondRunContinuesTheShardNumbers() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        // Left by a killed run, and damaged.
        let noise = [UInt8](repeating: 7, count: 1024)
        try folder.write(noise, to: "shard-00001.tar.part")
        for _ in 0..<2 { _ = try await fetch([server.url + "/a"], .bytes(1)) }
        #expect(
            try folder.contents() == [
                "shard-00000.tar", "shard-00001.tar.part", "shard-00002.tar",
            ]
        )
        #expect(try folder.read("shard-00001.tar.part") == noise)
    }

    @Test func fileOfAKilledRunIsClosedByTheNextRun() async throws {
        let server = try LoopbackServer { .text("body of \($0.target)") }
        _ = try await fetch((0..<3).map { "\(server.url)/\($0)" }, .entries(10))
        let whole = try folder.read("shard-00000.tar").dropLast(1024)
        // The last description is truncated, so the body before it is discarded too.
        try folder.write(Array(whole.dropLast(100)), to: "shard-00001.tar.part")
        _ = try await fetch([server.url + "/more"], .entries(10))
        #expect(
            try folder.contents() == ["shard-00000.tar", "shard-00001.tar", "shard-00002.tar"]
        )
        let all = try tar("tf", folder.path("shard-00000.tar")).split(separator: "\n")
        let recovered = try tar("tf", folder.path("shard-00001.tar")).split(separator: "\n")
        #expect(all.count == 6 && Array(recovered) == Array(all.prefix(4)))
    }

    @Test func sizeBeyondTheTarHeaderIsInAPaxHeader() {
        let header = TarHeader.bytes(name: "x", size: 10_000_000_000, seconds: 0)
        #expect(header.count == 3 * 512)
        #expect(header[156] == UInt8(ascii: "x"))
        #expect(header[512..<1024].starts(with: Array("20 size=10000000000\n".utf8)))
        #expect(header[1024 + 156] == UInt8(ascii: "0"))
    }

    @Test(
        arguments: [
            ("10", ArchiveLimit.entries(10)), ("1K", .bytes(1000)), ("2g", .bytes(2_000_000_000)),
            ("2GiB", .bytes(2 << 30)), ("1.5G", .bytes(1_500_000_000)), ("+5", nil), ("0G", nil),
            ("0", nil), ("", nil), ("1X", nil), ("-1", nil), ("9999999999999T", nil), ("G", nil),
        ] as [(String, ArchiveLimit?)]
    )
    func limitIsASizeOrACount(text: String, limit: ArchiveLimit?) {
        #expect(ArchiveLimit(text) == limit)
    }
}
