import Foundation
import TestSupport
import Testing

/// Where the command writes bodies, and what it reports about them.
@Suite(.timeLimit(.minutes(10))) struct OutputCommandTests {
    let folder: TemporaryDirectory
    let server: LoopbackServer

    init() throws {
        folder = try TemporaryDirectory()
        server = try LoopbackServer {
            .text("body of \($0.target)").header("ETag", "\"e\"").header("Last-Modified", "then")
        }
    }

    private func run(_ arguments: [String], input: String = "") async throws -> CommandRun.Ending {
        try await CommandRun.ending(arguments, input: input)
    }

    private func results() throws -> [ResultLine] {
        try ResultLine.lines(String(decoding: try folder.read("results"), as: UTF8.self))
            .sorted { $0.ordinal < $1.ordinal }
    }

    @Test func resultsContainAllFields() async throws {
        let ending = try await run([
            "--results", folder.path("results"), "--sha256", server.url + "/a",
            "http://127.0.0.1:\(try LoopbackServer.unusedPort())/", "--retries", "0",
        ])
        #expect(ending.status == 1, "\(ending)")
        let lines = try results()
        let line = lines[0]
        #expect(line.ordinal == 1 && line.line == 1 && line.status == 200 && line.attempts == 1)
        #expect(line.bytes == 10 && line.decoded_bytes == 10)
        #expect(
            line.sha256 == "6d864710fbf2fbda04c68cc0f8b7b7b12fab7a4e0111d3f412f7f4f554973650"
        )
        #expect(line.etag == "\"e\"" && line.last_modified == "then")
        #expect(line.peer == "127.0.0.1:\(server.port)" && line.path == nil)
        let started = try #require(line.started_at)
        #expect(started.hasSuffix("Z") && started.contains("T") && started.utf8.count == 27)
        let failure = try #require(lines[1].error)
        #expect(failure.code == "connect_refused" && failure.curl == 7 && lines[1].ordinal == 2)
    }

    @Test("--no-decode and --remote-time change what is saved, and need what they say")
    func savedFilesFollowTheOptions() async throws {
        let server = try LoopbackServer { _ in
            .text("x").header("Content-Encoding", "unknown")
                .header("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")
        }
        var ending = try await run([
            "--output", folder.path("out"), "--out", "{file}", "--no-decode", "--remote-time",
            "\(server.url)/a",
        ])
        #expect(ending.status == 0, "\(ending)")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("out/a"))
        #expect(
            attributes[.modificationDate] as? Date == Date(timeIntervalSince1970: 784_111_777)
        )
        ending = try await run(["--discard", "--remote-time", "\(server.url)/a"])
        #expect(ending.status == 2 && ending.errors.contains("--remote-time needs a folder"))
    }

    @Test func fileNamesFollowTheTemplate() async throws {
        let ending = try await run(
            [
                "--output", folder.path("out"), "--out", "{host}/{tag}-{ordinal:3}.{ext}",
                "--format",
                "jsonl", "--results", folder.path("results"), "-",
            ],
            input: """
                {"url":"\(server.url)/a","tag":"x"}
                {"url":"\(server.url)/b.html","out":"../named"}
                """
        )
        #expect(ending.status == 0, "\(ending)")
        #expect(try results().map(\.path) == ["127.0.0.1/x-001.txt", "_./named"])
        #expect(try folder.read("out/_./named") == Array("body of /b.html".utf8))
    }

    @Test func standardOutputTakesExactlyOneBody() async throws {
        let one = try await run(["--output", "-", server.url + "/a"])
        #expect(one.status == 0 && one.output == "body of /a", "\(one)")
        #expect(one.errors.contains("1 fetched"))
        let two = try await run(["--output", "-", server.url + "/a", server.url + "/b"])
        #expect(two.status == 4 && two.output.hasPrefix("body of /"))
        #expect(two.errors.contains("standard output takes only one body"))
    }

    @Test func missingBodyOnStandardOutputIsReportedEvenIfQuiet() async throws {
        let missing = try LoopbackServer { _ in .status(404) }
        let ending = try await run(["-q", "--output", "-", missing.url + "/a"])
        #expect(ending.status == 1 && ending.output.isEmpty, "\(ending)")
        #expect(ending.errors == "batchfetch: line 1: the server answered 404\n")
    }

    @Test(arguments: ["--head", "a list with HEAD", "--tar"])
    func headRequestKeepsTheExistingFile(kind: String) async throws {
        let out = folder.path("out")
        let list = try folder.write("{\"url\":\"\(server.url)/a\"}\n", to: "list.jsonl")
        let first = try await run(["--output", out, list])
        #expect(first.status == 0, "\(first)")
        let names = try TemporaryDirectory.files(in: out)
        if kind == "a list with HEAD" {
            try folder.write(
                "{\"url\":\"\(server.url)/a\",\"method\":\"HEAD\"}\n",
                to: "list.jsonl"
            )
        }
        let options = ["--head": ["--head"], "--tar": ["--head", "--tar", "10"]][kind] ?? []
        let results = ["--results", folder.path("results")]
        let second = try await run(options + results + ["--output", out, list])
        #expect(second.status == 0, "\(second)")
        #expect(server.requests.last?.method == "HEAD")
        #expect(try TemporaryDirectory.files(in: out) == names)
        let body = try folder.read("out/" + #require(names.first))
        #expect(body == Array("body of /a".utf8))
        let line = try #require(try self.results().first)
        #expect(line.ok && line.path == nil)
    }

    @Test func resultsCanContainTheBodies() async throws {
        let ending = try await run(["--stdout-jsonl", server.url + "/a"])
        #expect(ending.status == 0, "\(ending)")
        let line = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
        let fields = try #require(line as? [String: Any])
        #expect(fields["body_base64"] as? String == Data("body of /a".utf8).base64EncodedString())
    }

    @Test("Results contain large bodies, too, which wait on disk until they are read")
    func resultsCanContainLargeBodies() async throws {
        let body = (0..<300_001).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let large = try LoopbackServer { _ in .bytes(body) }
        let temporary = try TemporaryDirectory()
        let ending = try await CommandRun(
            program: "/usr/bin/env",
            [
                "TMPDIR=\(temporary.path)", CommandRun.executable(), "--stdout-jsonl",
                large.url + "/a", server.url + "/b", large.url + "/c",
            ]
        ).ending()
        #expect(ending.status == 0, "\(ending.errors)")
        let lines = try ending.output.split(separator: "\n").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        let bodies = lines.map { Data(base64Encoded: $0["body_base64"] as? String ?? "") }
        #expect(bodies.count { $0 == Data(body) } == 2)
        #expect(bodies.contains(Data("body of /b".utf8)))
        #expect(try temporary.contents() == [])
        let missing = try await CommandRun(
            program: "/usr/bin/env",
            [
                "TMPDIR=\(temporary.path("none"))", CommandRun.executable(), "--stdout-jsonl",
                large.url + "/a",
            ]
        ).ending()
        #expect(missing.status == 4 && missing.output.contains(temporary.path("none")))
        // It is said at the start, whether or not a body is large.
        #expect(
            missing.errors.hasPrefix(
                "batchfetch: cannot create a file in “\(temporary.path("none"))”: "
            ),
            "\(missing.errors)"
        )
        #expect(missing.errors.contains("bodies of more than 64 KiB fail"), "\(missing.errors)")
    }

    @Test func dryRunSendsNoRequestAndShowsCollisions() async throws {
        let output = folder.path("out")
        let ending = try await run(
            ["--dry-run", "--output", output, "--out", "{file}", "--dedupe", "exact", "-"],
            input: """
                \(server.url)/a/x
                \(server.url)/b/x
                \(server.url)/X
                \(server.url)/X
                no url
                """
        )
        #expect(ending.status == 1, "\(ending)")
        #expect(ending.output == "\(server.url)/a/x\tx\n\(server.url)/X\tX\n")
        for text in [
            "2 would be fetched, 2 not, 1 duplicate; 1 name differs from others only in upper",
            "1  name_collision, first on line 2: another URL has the same name “x”",
            "1  invalid_url, first on line 5",
        ] {
            #expect(ending.errors.contains(text), "\(ending.errors)")
        }
        #expect(server.requestCount == 0)
        #expect(try folder.contents().isEmpty)
    }

    @Test func globIsAcceptedInPlaceOfAFile() async throws {
        let ending = try await run([
            "--glob", "--results", folder.path("results"), "\(server.url)/{08..10}{a,b}",
        ])
        #expect(ending.status == 0, "\(ending)")
        #expect(
            try results().map(\.url)
                == ["08a", "08b", "09a", "09b", "10a", "10b"].map { "\(server.url)/\($0)" }
        )
    }

    @Test func strictRunEndsWithTheReason() async throws {
        let ending = try await run(["--strict", "-"], input: "\(server.url)/a\nbad line\n")
        #expect(ending.status != 0)
        #expect(ending.errors.contains("line 2 is malformed, which ends a strict run"))
    }

    @Test(arguments: [
        (["--tar", "1G", "x"], "--tar and --warc need a folder"),
        (["--tar", "1Q", "--output", "o", "x"], "--tar is 1Q: use bytes, such as 500M or 1G"),
        (["--warc", "--tar", "1", "--output", "o", "x"], "exclude each other"),
        (["--out", "{x}", "--output", "o", "x"], "unknown field {x}"),
        (["--out", "a", "x"], "need a folder of files"),
        (["--fanout", "5", "--output", "o", "x"], "--fanout is 5: use 0 to 4."),
        (["--warc-limit", "1G", "--output", "o", "x"], "--warc-limit needs --warc"),
        (["--segments", "4", "x"], "--segments needs a folder of files"),
        (["--shard", "4/4", "x"], "--shard is 4/4: use i/n with i from 0 to n - 1"),
        (["--stdout-jsonl", "--results", "r", "x"], "remove --results"),
        (
            ["--output", "-", "--results", "-", "x"],
            "write to standard output, which takes one: name a file"
        ),
        (
            ["--output", "-", "--journal", "j", "--results", "r", "x"],
            "--journal can't resume a body on standard output"
        ),
        (["--existing", "never", "--output", "o", "x"], "--existing"),
    ])
    func wrongUsageIsReported(arguments: [String], message: String) async throws {
        let ending = try await run(arguments)
        #expect(ending.status == 2, "\(ending)")
        #expect(ending.errors.contains(message), "\(ending.errors)")
    }

    @Test("A list may send only files below the folder that --body-folder names")
    func bodyFilesAreBelowTheirFolder() async throws {
        try FileManager.default.createDirectory(
            atPath: folder.path("bodies"),
            withIntermediateDirectories: false
        )
        try folder.write("one", to: "bodies/one")
        try folder.write("secret", to: "secret")
        let lines = ["one", "../secret"].map { path in
            #"{"url":"\#(server.url)/\#(path)","method":"POST","body_file":"\#(path)"}"#
        }
        let list = ["--format", "jsonl", "--results", folder.path("results"), "-"]
        let input = lines.joined(separator: "\n")
        let ending = try await run(["--body-folder", folder.path("bodies")] + list, input: input)
        #expect(ending.status == 1, "\(ending)")
        #expect(try results().map(\.ok) == [true, false])
        #expect(server.requests.map(\.body) == [Array("one".utf8)])
        let none = try await CommandRun.ending("--body-folder", folder.path("none"), "-")
        #expect(none.status == 2 && none.errors.contains("is not a folder"), "\(none)")
    }
}
