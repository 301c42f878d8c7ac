import Foundation
import TestSupport
import Testing

/// Archives of runs that are killed and resumed.
@Suite(.timeLimit(.minutes(10))) struct KilledArchiveTests {
    @Test(arguments: [["--tar", "7"], ["--warc", "--warc-limit", "7"]])
    func killedRunResumesWithOneResultPerURLInTheArchive(kind: [String]) async throws {
        let folder = try TemporaryDirectory()
        let server = try LoopbackServer { .text("body of \($0.target)") }
        let urls = (1...60).map { "\(server.url)/\($0)" }
        let list = try folder.write(urls.joined(separator: "\n"), to: "list")
        let arguments =
            kind + [
                "--output", folder.path("out"), "--results", folder.path("results"),
                "--concurrency", "4", "--journal", folder.path("journal"),
                "--journal-interval", "5", list,
            ]
        for killed in [10, 25] {
            let run = try CommandRun(arguments)
            try run.closeInput()
            try await server.requests(count: killed)
            run.signal(SIGKILL)
            _ = try await run.ending()
        }
        let last = try CommandRun(arguments)
        try last.closeInput()
        #expect(try await last.ending().status == 0)
        let lines = String(decoding: try folder.read("results"), as: UTF8.self)
            .split(separator: "\n")
        #expect(lines.count == 60)
        var seen: Set<String> = []
        for line in lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
            let fields = try #require(object as? [String: Any])
            let url = try #require(fields["url"] as? String)
            let shard = try #require(fields["shard"] as? String)
            let offset = try #require(fields["offset"] as? Int)
            #expect(seen.insert(url).inserted)
            let path = url.dropFirst(server.url.count)
            let text = try entry(folder.path("out/" + shard), at: offset)
            #expect(text.contains("body of \(path)"), "\(shard) at \(offset)")
        }
        #expect(seen == Set(urls))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
        #expect(!names.contains { $0.hasSuffix(".spool") })
        for name in names where !name.hasSuffix(".part") { try check(folder.path("out/" + name)) }
    }

    /// The beginning of the entry at an offset.
    private func entry(_ path: String, at offset: Int) throws -> String {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)).dropFirst(offset))
        guard path.hasSuffix(".gz") else {
            return String(decoding: bytes.prefix(1024), as: UTF8.self)
        }
        let folder = try TemporaryDirectory()
        let file = try folder.write(bytes, to: "record.gz")
        _ = try ChildProcess.run(["/bin/gzip", "-dkf", file])
        return String(decoding: try folder.read("record").prefix(1200), as: UTF8.self)
    }

    private func check(_ path: String) throws {
        let command =
            path.hasSuffix(".gz") ? ["/bin/gzip", "-t", path] : ["/bin/tar", "tf", path]
        let (status, output) = try ChildProcess.run(command)
        #expect(status == 0, "\(path): \(output)")
    }
}
