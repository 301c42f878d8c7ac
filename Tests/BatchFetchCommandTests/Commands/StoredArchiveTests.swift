import Foundation
import TestSupport
import Testing

/// `--tar` and `--warc` with `--output s3://…`, with moto as the server.
@Suite(.enabled(if: MotoPeer.isAvailable), .timeLimit(.minutes(10)))
struct StoredArchiveTests {
    private let folder: TemporaryDirectory
    private let server: LoopbackServer

    init() throws {
        folder = try TemporaryDirectory()
        server = try LoopbackServer { .text("body of \($0.path)") }
    }

    private func command(_ arguments: [String], _ moto: MotoPeer) throws -> CommandRun {
        try CommandRun(
            program: "/usr/bin/env",
            ["HOME=\(folder.path)", "TMPDIR=\(folder.path)"] + moto.environment
                + [CommandRun.executable()] + arguments
        )
    }

    private func results() throws -> [ResultLine] {
        try ResultLine.lines(String(decoding: try folder.read("results"), as: UTF8.self))
    }

    /// Downloads an object.
    private func object(_ key: String, _ moto: MotoPeer) async throws -> [UInt8] {
        let ending = try await CommandRun.ending([
            "--output", folder.path("down"), "--out", "object", "\(moto.url)/_object/\(key)",
        ])
        #expect(ending.status == 0, "\(ending)")
        return try folder.read("down/object")
    }

    @Test("Tar files become objects, and results name the file and the offset")
    func tarFilesAreStored() async throws {
        let moto = try await MotoPeer.start(busy: 1)
        let urls = (0..<25).map { "\(server.url)/\($0)" }
        let list = try folder.write(urls.joined(separator: "\n"), to: "list")
        let arguments = [
            "--output", "s3://pages/may", "--tar", "10", "--results", folder.path("results"),
            "--overwrite-results", list,
        ]
        var ending = try await command(arguments, moto).ending()
        #expect(ending.status == 0, "\(ending)")
        var content = try await moto.content()
        let names = (0..<3).map { "may/shard-0000\($0).tar" }
        #expect(content.objects.map(\.key).sorted() == names)
        #expect(content.uploads.isEmpty)
        let lines = try results()
        #expect(lines.count == 25)
        let first = try await object(names[0], moto)
        for line in lines where line.shard == "shard-00000.tar" {
            let offset = try #require(line.offset)
            let name = first[offset...].prefix { $0 != 0 }
            let number = "00000000\(line.ordinal)".suffix(9)
            #expect(String(decoding: name, as: UTF8.self) == "\(number).txt")
        }
        // Another run continues the numbers.
        ending = try await command(arguments, moto).ending()
        #expect(ending.status == 0, "\(ending)")
        content = try await moto.content()
        #expect(content.objects.count == 6)
        #expect(content.byKey["may/shard-00005.tar"] != nil)
        #expect(try folder.contents() == ["down", "list", "results"])
    }

    @Test("WARC files become objects")
    func warcFilesAreStored() async throws {
        let moto = try await MotoPeer.start()
        let arguments = [
            "--output", "s3://pages", "--warc", "--results", folder.path("results"),
            "\(server.url)/a", "\(server.url)/b",
        ]
        let ending = try await command(arguments, moto).ending()
        #expect(ending.status == 0, "\(ending)")
        #expect(try await moto.content().objects.map(\.key) == ["batch-00000.warc.gz"])
        let bytes = try await object("batch-00000.warc.gz", moto)
        #expect(bytes.starts(with: [0x1F, 0x8B]))
        #expect(try results().allSatisfy { $0.shard == "batch-00000.warc.gz" })
    }

    @Test("No result is written before its archive is stored, and a killed run is resumed")
    func resultsFollowTheirArchive() async throws {
        let moto = try await MotoPeer.start(heldPart: 2)
        let body = [UInt8](repeating: 7, count: 9 << 20)
        let large = try LoopbackServer { _ in .bytes(body) }
        let urls = (0..<2).map { "\(large.url)/\($0)" }
        let list = try folder.write(urls.joined(separator: "\n"), to: "list")
        let arguments = [
            "--output", "s3://pages", "--journal", folder.path("journal"),
            "--results", folder.path("results"), list,
        ]
        let killed = try command(arguments + ["--tar", "2"], moto)
        try await moto.heldUpload()
        killed.signal(9)
        #expect(try await killed.ending().status == -9)
        #expect(try results().isEmpty)
        var content = try await moto.content()
        #expect(content.objects.isEmpty)
        #expect(content.uploads == ["shard-00000.tar"])
        // Smaller files, which aren't uploaded in parts.
        let ending = try await command(arguments + ["--tar", "1"], moto).ending()
        #expect(ending.status == 0, "\(ending)")
        content = try await moto.content()
        #expect(content.uploads.isEmpty)
        #expect(content.byKey.keys.sorted() == ["shard-00000.tar", "shard-00001.tar"])
        #expect(try results().count == 2)
    }

    @Test("An archive that can't be stored ends the run, and its URLs stay unresolved")
    func lostArchiveEndsTheRun() async throws {
        let moto = try await MotoPeer.start()
        let gate = Gate()
        let slow = try LoopbackServer { _ in .text("x").after(gate) }
        let list = try folder.write("\(slow.url)/a\n", to: "list")
        let run = try command(
            [
                "--output", "s3://pages", "--tar", "10", "--journal", folder.path("journal"),
                "--results", folder.path("results"), list,
            ],
            moto
        )
        try await slow.requests(count: 1)
        moto.stop()
        gate.open()
        let ending = try await run.ending()
        #expect(ending.status == 4, "\(ending)")
        #expect(ending.errors.contains("can't store “s3://pages/shard-"), "\(ending)")
        #expect(try results().isEmpty)
    }
}
