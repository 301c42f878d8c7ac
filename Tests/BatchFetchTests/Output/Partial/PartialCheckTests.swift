import Foundation
import HTTPSemantics
import TestSupport
import Testing

@testable import BatchFetch

/// The checks of complete bodies also apply to resumed ones.
@Suite(.timeLimit(.minutes(10))) struct PartialCheckTests {
    private let runs: PartialRuns

    init() throws {
        runs = try PartialRuns()
    }

    private static let body = PartBody(count: 3 << 20)
    private static let half = 1_600_003
    private static let digest = MessageDigest.of(body.bytes, .sha256)

    /// The same body with one wrong byte before the break.
    private static let damaged: PartBody = {
        var bytes = body.bytes
        bytes[1000] ^= 1
        return PartBody(bytes)
    }()

    /// The source of the complete body's digest.
    enum Source: CaseIterable {
        case list, server
    }

    private func list(_ server: PartServer, _ source: Source) throws -> String {
        let sum = source == .list ? ",\"sha256\":\"\(Hexadecimal.text(Self.digest))\"" : ""
        return try runs.write("{\"url\":\"\(server.url)\"\(sum)}\n", to: "list.jsonl")
    }

    private func answer(_ body: PartBody, _ source: Source) -> PartAnswer {
        var answer = PartAnswer.body(body)
        guard source == .server else { return answer }
        answer.headers.append(("Repr-Digest", "sha-256=:\(Self.base64(Self.digest)):"))
        return answer
    }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    @Test(arguments: Source.allCases)
    func checksumCoversTheWholeBody(source: Source) async throws {
        let server = try PartServer { [self] number, _ in
            let answer = answer(Self.body, source)
            return number == 0 ? answer.breaking(after: Self.half) : answer
        }
        let list = try list(server, source)
        try await runs.fail([list])
        let results = try await runs.run([list])
        try runs.expectOnly(results.first, is: Self.body.bytes, status: 206)
    }

    @Test(arguments: Source.allCases)
    func corruptPartialFileIsDiscardedAndTheBodyRestarts(source: Source) async throws {
        let server = try PartServer { [self] number, _ in
            number == 0
                ? answer(Self.damaged, source).breaking(after: Self.half)
                : answer(Self.body, source)
        }
        let list = try list(server, source)
        try await runs.fail([list])
        let results = try await runs.run([list])
        try runs.expectOnly(results.first, is: Self.body.bytes, status: 200, attempts: 2)
        #expect(server.requests.map { $0.range?.first } == [nil, Self.half, nil])
        #expect(server.requests.last?.requestsWholeBody == true)
    }

    @Test(arguments: Source.allCases)
    func bodyThatNeverMatchesItsChecksumLeavesNoFile(source: Source) async throws {
        let server = try PartServer { [self] number, _ in
            let answer = answer(Self.damaged, source)
            return number == 0 ? answer.breaking(after: Self.half) : answer
        }
        let list = try list(server, source)
        let results = try await runs.run([list], status: 1)
        #expect(results.first?.error?.code == "verification")
        #expect(server.requests.map { $0.range?.first } == [nil, Self.half, nil])
        #expect(runs.parts() == nil)
        #expect(try TemporaryDirectory.files(in: runs.path("out")).isEmpty)
    }

    @Test func bodyLimitAppliesToTheWholeBody() async throws {
        let server = try PartServer(Self.body, breaking: [Self.half])
        try await runs.fail([server.url])
        // The rest alone would be below the limit.
        let failed = try await runs.fail(["--max-bytes", "2M", server.url])
        #expect(failed.error?.code == "body_too_large")
        #expect(
            try TemporaryDirectory.files(in: runs.path("out")).allSatisfy {
                $0.hasPrefix(".parts/")
            }
        )
        let results = try await runs.run(["--max-bytes", "\(Self.body.count)", server.url])
        try runs.expectOnly(results.first, is: Self.body.bytes)
    }

    @Test func existingFileIsReplacedOrNumberedWhenTheBodyCompletes() async throws {
        let old = PartBody(count: 1000, seed: 7)
        let server = try PartServer { number, _ in
            switch number {
            case 0: .body(old)
            case 1, 3: .body(Self.body).breaking(after: Self.half)
            default: .body(Self.body)
            }
        }
        let path = try #require(try await runs.run([server.url]).first?.path)
        try await runs.fail([server.url])
        #expect(try runs.file(path) == old.bytes)
        var results = try await runs.run(["--existing", "overwrite", server.url])
        try runs.expectOnly(results.first, is: Self.body.bytes, status: 206)
        #expect(results.first?.path == path)
        try await runs.fail(["--existing", "number", server.url])
        results = try await runs.run(["--existing", "number", server.url])
        try runs.expect(results.first, is: Self.body.bytes, status: 206)
        #expect(results.first?.path != path && runs.parts() == nil)
    }
}
