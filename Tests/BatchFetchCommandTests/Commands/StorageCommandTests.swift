import Foundation
import TestSupport
import Testing

/// `batchfetch --output s3://…` with moto as the server.
@Suite(.enabled(if: MotoPeer.isAvailable), .timeLimit(.minutes(10)))
struct StorageCommandTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// Runs the command, whose home folder is the test's own.
    private func run(
        _ arguments: [String],
        environment: [String]
    ) async throws -> (status: Int32, output: String) {
        try await CommandRun.printed(
            ["HOME=\(folder.path)", "TMPDIR=\(folder.path)"] + environment,
            arguments
        )
    }

    private func results(_ name: String = "results") throws -> [ResultLine] {
        try ResultLine.lines(String(decoding: try folder.read(name), as: UTF8.self))
    }

    /// More than one part, and no repetition that would hide an exchange of parts.
    private static let large: [UInt8] = (0..<40).flatMap { (number: UInt8) in
        [UInt8](repeating: number, count: 1 << 20)
    }

    @Test("Small bodies become objects with their types, whose names are in the results")
    func smallBodiesAreStored() async throws {
        let moto = try await MotoPeer.start(busy: 3)
        let server = try LoopbackServer { .text("body of \($0.path)") }
        let urls = (0..<200).map { "\(server.url)/a/\($0)" }
        let list = try folder.write(urls.joined(separator: "\n"), to: "list")
        let (status, output) = try await run(
            [
                "--output", "s3://pages/may/", "--results", folder.path("results"), "--sha256",
                "--per-host", "32", list,
            ],
            environment: moto.environment
        )
        #expect(status == 0, "\(output)")
        let content = try await moto.content()
        let objects = content.byKey
        #expect(objects.count == 200)
        #expect(content.uploads.isEmpty)
        for line in try results() {
            let path = try #require(line.path)
            let object = try #require(objects["may/\(path)"])
            #expect(object.sha256 == line.sha256)
            #expect(object.type == "text/plain")
        }
        #expect(try folder.contents().sorted() == ["list", "results"])
    }

    @Test("Requests are signed, and a body in parts is whole")
    func largeBodyIsStored() async throws {
        let moto = try await MotoPeer.start(checksSignatures: true, busy: 2)
        let body = Self.large
        let server = try LoopbackServer { request in
            request.path == "/large" ? .bytes(body) : .bytes([])
        }
        let (status, output) = try await run(
            [
                "--output", "s3://pages", "--out", "{file}", "--results", folder.path("results"),
                "--sha256", "\(server.url)/large", "\(server.url)/empty",
            ],
            environment: moto.environment
        )
        #expect(status == 0, "\(output)")
        let content = try await moto.content()
        #expect(content.byKey["large"]?.size == body.count)
        let line = try #require(try results().first { $0.path == "large" })
        #expect(line.sha256 != nil && content.byKey["large"]?.sha256 == line.sha256)
        #expect(content.byKey["empty"]?.size == 0)
        #expect(content.uploads.isEmpty)
    }

    @Test("After a kill during an upload nothing is visible, and the next run removes its parts")
    func killedUploadLeavesNothing() async throws {
        let moto = try await MotoPeer.start(heldPart: 2)
        let body = Self.large
        let server = try LoopbackServer { request in
            request.path == "/large" ? .bytes(body) : .text("small")
        }
        let list = try folder.write("\(server.url)/large\n\(server.url)/small\n", to: "list")
        let arguments = [
            "--output", "s3://pages", "--out", "{file}", "--journal", folder.path("journal"),
            "--results", folder.path("results"), list,
        ]
        let killed = try CommandRun(
            program: "/usr/bin/env",
            ["HOME=\(folder.path)"] + moto.environment + [CommandRun.executable()] + arguments
        )
        try await moto.heldUpload()
        killed.signal(9)
        #expect(try await killed.ending().status == -9)
        var content = try await moto.content()
        #expect(content.byKey["large"] == nil)
        #expect(content.uploads == ["large"])
        // The upload is held again, until a signal ends the run.
        let ended = try CommandRun(
            program: "/usr/bin/env",
            ["HOME=\(folder.path)"] + moto.environment + [CommandRun.executable()] + arguments
                + ["--grace", "0"]
        )
        try await moto.heldUpload(count: 2)
        content = try await moto.content()
        #expect(content.uploads == ["large"], "the first upload was removed")
        ended.signal(15)
        let ending = try await ended.ending()
        #expect(ending.status == 143, "\(ending)")
        content = try await moto.content()
        #expect(content.uploads.isEmpty)
        #expect(content.byKey["large"] == nil)
    }

    @Test("A body whose checksum is wrong isn't stored")
    func wrongBodyIsNotStored() async throws {
        let moto = try await MotoPeer.start()
        let server = try LoopbackServer { _ in .text("x") }
        let list = try folder.write(
            "{\"url\": \"\(server.url)/a\", \"md5\": \"d41d8cd98f00b204e9800998ecf8427e\"}\n",
            to: "list.jsonl"
        )
        let (status, _) = try await run(
            ["--output", "s3://pages", "--retries", "0", list],
            environment: moto.environment
        )
        #expect(status == 1)
        #expect(try await moto.content().objects.isEmpty)
    }

    @Test("Wrong keys, a missing bucket and a missing server end the run, and no secret is printed")
    func faultsEndTheRun() async throws {
        let moto = try await MotoPeer.start(checksSignatures: true)
        let server = try LoopbackServer { _ in .text("x") }
        let wrong = moto.environment + ["AWS_SECRET_ACCESS_KEY=not-the-secret"]
        let unused = "http://127.0.0.1:\(try LoopbackServer.unusedPort())"
        let cases: [(String, [String], String)] = [
            ("s3://pages", wrong, "SignatureDoesNotMatch (403)"),
            ("s3://pages", moto.environment + ["AWS_ACCESS_KEY_ID=other"], "InvalidAccessKeyId"),
            ("s3://others", moto.environment, "NoSuchBucket (404)"),
            ("s3://pages", moto.environment + ["AWS_ENDPOINT_URL=\(unused)"], "\(unused): "),
            ("s3://pages", moto.environment + ["AWS_ENDPOINT_URL=\(server.url)"], "no listing"),
        ]
        for (address, environment, message) in cases {
            let (status, output) = try await run(
                ["--output", address, "--log-level", "trace", "\(server.url)/a"],
                environment: environment
            )
            #expect(status == 4, "\(output)")
            #expect(output.contains("can't store “\(address)"), "\(output)")
            #expect(output.contains(message), "\(output)")
            #expect(!output.contains("not-the-secret") && !output.contains(moto.secretKey))
        }
    }

    @Test("A server that disappears during the run ends it, and the journal resumes it")
    func lostServerEndsTheRun() async throws {
        let moto = try await MotoPeer.start()
        let gate = Gate()
        let server = try LoopbackServer { _ in .text("x").after(gate) }
        let arguments = [
            "--output", "s3://pages", "--journal", folder.path("journal"),
            "--results", folder.path("results"),
            try folder.write("\(server.url)/a\n", to: "list"),
        ]
        let lost = try CommandRun(
            program: "/usr/bin/env",
            ["HOME=\(folder.path)"] + moto.environment + [CommandRun.executable()] + arguments
        )
        try await server.requests(count: 1)
        moto.stop()
        gate.open()
        let ending = try await lost.ending()
        #expect(ending.status == 4, "\(ending)")
        #expect(ending.errors.contains("the run ends, because nothing more can be written there"))
        #expect(try results().isEmpty)
        let next = try await MotoPeer.start()
        let (status, output) = try await run(arguments, environment: next.environment)
        #expect(status == 0, "\(output)")
        #expect(try results().count == 1)
        #expect(try await next.content().objects.count == 1)
    }

    @Test("Without keys, and with options that objects can't have, nothing is fetched")
    func invalidUseIsRefused() async throws {
        let cases: [([String], [String], String)] = [
            (["--output", "s3://pages"], [], "there are no keys for object storage"),
            (["--output", "s3://p"], [], "the name of a bucket"),
            (["--output", "s3://pages", "--existing", "skip"], [], "Objects are always replaced"),
            (["--output", "s3://pages", "--segments", "4"], [], "--segments needs files"),
            (["--output", "s3://pages", "--remote-time"], [], "--remote-time needs files"),
            (
                ["--output", "s3://pages"],
                ["AWS_ACCESS_KEY_ID=a", "AWS_SECRET_ACCESS_KEY=b", "AWS_ENDPOINT_URL=ftp://a"],
                "the endpoint of object storage"
            ),
        ]
        for (arguments, environment, message) in cases {
            let (status, output) = try await run(
                arguments + ["http://127.0.0.1:1/"],
                environment: environment
            )
            #expect(status == 2, "\(output)")
            #expect(output.contains(message), "\(output)")
        }
    }

    @Test("A dry run prints the names of objects without keys")
    func dryRunNeedsNoKeys() async throws {
        let (status, output) = try await run(
            ["--output", "s3://pages/may", "--dry-run", "http://a.example/b"],
            environment: []
        )
        #expect(status == 0, "\(output)")
        #expect(output.contains("http://a.example/b\ta.example+80/b"))
    }
}
