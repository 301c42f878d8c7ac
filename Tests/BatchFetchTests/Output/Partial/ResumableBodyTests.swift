import Foundation
import TestSupport
import Testing

/// Which bodies are kept as partial downloads, and how damaged ones are handled.
@Suite(.timeLimit(.minutes(10))) struct ResumableBodyTests {
    private let runs: PartialRuns

    init() throws {
        runs = try PartialRuns()
    }

    private static let body = PartBody(count: 1 << 20)
    private static let half = 600_001

    /// Fails once, expects no partial download, and runs again until success.
    private func expectNone(
        _ server: PartServer,
        _ arguments: [String] = [],
        is bytes: [UInt8] = body.bytes,
        url: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let arguments = arguments + [url ?? server.url]
        try await runs.fail(arguments, sourceLocation: sourceLocation)
        #expect(runs.parts() == nil, sourceLocation: sourceLocation)
        let results = try await runs.run(arguments, sourceLocation: sourceLocation)
        try runs.expect(results.first, is: bytes, status: 200, sourceLocation: sourceLocation)
        #expect(server.requests.count == 2, sourceLocation: sourceLocation)
    }

    @Test func bodyOfAMebibyteIsResumed() async throws {
        let server = try PartServer(Self.body, breaking: [Self.half])
        try await runs.fail([server.url])
        let results = try await runs.run([server.url])
        try runs.expectOnly(results.first, is: Self.body.bytes, status: 206)
    }

    @Test(arguments: [
        body.with(etag: "W/\"1\""), body.with(etag: nil), body.modified(asOf: PartBody.tooSoon),
        PartBody(count: 1 << 20 - 1),
    ])
    func shortOrWeaklyValidatedBodyIsNotResumed(body: PartBody) async throws {
        let server = try PartServer(body, breaking: [Self.half])
        try await expectNone(server, is: body.bytes)
        #expect(server.requests.last?.requestsWholeBody == true)
    }

    @Test func bodyOfUnknownLengthIsNotResumed() async throws {
        let server = try PartServer { number, _ in
            let answer = PartAnswer.body(Self.body).chunked()
            return number == 0 ? answer.breaking(after: Self.half) : answer
        }
        try await expectNone(server)
        #expect(server.requests.last?.requestsWholeBody == true)
    }

    @Test func bodyOfAServerWithoutRangesIsNotResumed() async throws {
        let server = try PartServer { number, _ in
            var answer = PartAnswer.body(Self.body)
            answer.headers = [("Accept-Ranges", "none")]
            return number == 0 ? answer.breaking(after: Self.half) : answer
        }
        try await expectNone(server)
        #expect(server.requests.last?.requestsWholeBody == true)
    }

    @Test(.enabled(if: Compression.isAvailable))
    func compressedBodyIsNotResumed() async throws {
        let plain = PartBody(count: 1_500_000, seed: 4).bytes
        let compressed = try await Compression.compressed(plain, "gzip")
        let server = try PartServer(PartBody(compressed).encoded("gzip"), breaking: [1_200_000])
        try await expectNone(server, is: plain)
        #expect(server.requests.last?.requestsWholeBody == true)
        #expect(server.requests.last?.header("Accept-Encoding")?.contains("gzip") == true)
    }

    @Test func noContinueTurnsResumingOff() async throws {
        let server = try PartServer(Self.body, breaking: [Self.half])
        try await expectNone(server, ["--no-continue"])
        #expect(server.requests.last?.requestsWholeBody == true)
    }

    @Test func noContinueKeepsExistingPartialFiles() async throws {
        let server = try PartServer(Self.body, breaking: [Self.half])
        try await runs.fail([server.url])
        let results = try await runs.run(["--no-continue", server.url])
        try runs.expect(results.first, is: Self.body.bytes, status: 200)
        #expect(server.requests.last?.requestsWholeBody == true)
    }

    @Test(arguments: [
        "\"method\":\"POST\"", "\"body\":\"x\",\"method\":\"GET\"",
        "\"headers\":{\"If-None-Match\":\"\\\"2\\\"\"}",
        "\"headers\":{\"If-Modified-Since\":\"\(PartBody.modified)\"}",
        "\"headers\":{\"If-Match\":\"\\\"1\\\"\"}",
    ])
    func conditionalOrNonGetRequestIsNotResumed(details: String) async throws {
        let server = try PartServer(Self.body, breaking: [Self.half])
        let list = try runs.write("{\"url\":\"\(server.url)\",\(details)}\n", to: "list.jsonl")
        try await expectNone(server, url: list)
        #expect(server.requests.last?.requestsWholeBody == true)
    }

    @Test func requestWithItsOwnRangeIsNotResumed() async throws {
        let body = PartBody(count: 3 << 20)
        let server = try PartServer(body, breaking: [Self.half])
        let list = try runs.write(
            "{\"url\":\"\(server.url)\",\"headers\":{\"Range\":\"bytes=1000-1500000\"}}\n",
            to: "list.jsonl"
        )
        try await runs.fail([list])
        #expect(runs.parts() == nil)
        let results = try await runs.run([list])
        try runs.expectOnly(results.first, is: Array(body.bytes[1000...1_500_000]), status: 206)
        #expect(
            server.requests.map { $0.headers("Range") } == [
                ["bytes=1000-1500000"], ["bytes=1000-1500000"],
            ]
        )
        #expect(server.requests.allSatisfy { $0.header("If-Range") == nil })
    }

    @Test(arguments: [["--tar", "10"], ["--warc"], ["--discard"], ["--output", "-"]])
    func archivedOrDiscardedBodyIsNotResumed(kind: [String]) async throws {
        let server = try PartServer(Self.body, breaking: [Self.half])
        let isArchive = kind == ["--warc"] || kind.first == "--tar"
        let output = isArchive ? ["--output", runs.path("out")] : []
        let run = try CommandRun(kind + output + ["--retries", "1", server.url])
        try run.closeInput()
        _ = try await run.ending()
        #expect(server.requests.count >= 1)
        #expect(server.requests.allSatisfy { $0.requestsWholeBody })
        #expect(runs.parts() == nil)
    }

    /// How a partial download was damaged between two runs.
    enum Damage: CaseIterable {
        case noRecord, emptyRecord, halfRecord, otherRecord, noPart, shorterPart, link, recordLink
    }

    @Test(arguments: Damage.allCases)
    func damagedPartialFileIsNotUsed(damage: Damage) async throws {
        let server = try PartServer(Self.body, breaking: [Self.half])
        try await runs.fail([server.url])
        let part = runs.path("out/.parts/\(try runs.partName())")
        let record = URL(fileURLWithPath: part + ".json")
        let text = try Data(contentsOf: record)
        // As long as the partial download, so that it could be mistaken for it.
        let bystander = String(repeating: "x", count: Self.half)
        switch damage {
        case .noRecord: try FileManager.default.removeItem(at: record)
        case .emptyRecord: try Data().write(to: record)
        case .halfRecord: try text.prefix(text.count / 2).write(to: record)
        case .otherRecord: try Data("[1, {\"url\": null}]".utf8).write(to: record)
        case .noPart: try FileManager.default.removeItem(atPath: part)
        case .shorterPart:
            try #require(truncate(part, 1000) == 0)
        case .link, .recordLink:
            let path = damage == .link ? part : record.path + ".new"
            try? FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(
                atPath: path,
                withDestinationPath: try runs.write(bystander, to: "bystander")
            )
        }
        let results = try await runs.run([server.url])
        try runs.expect(results.first, is: Self.body.bytes, attempts: 1)
        guard damage == .link || damage == .recordLink else { return }
        #expect(try Array(bystander.utf8) == runs.read("bystander"))
    }
}
