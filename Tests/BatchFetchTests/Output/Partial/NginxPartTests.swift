import Foundation
import TestSupport
import Testing

/// Partial downloads from nginx.
@Suite(.timeLimit(.minutes(10)), .enabled(if: NginxPeer.isAvailable)) struct NginxPartTests {
    private let runs: PartialRuns

    init() throws {
        runs = try PartialRuns()
    }

    @Test func killedRunResumesPartialDownloads() async throws {
        let nginx = try await NginxPeer.shared()
        let body = PartBody(count: 8 << 20 | 3, seed: 11)
        try nginx.makeFile("killed.bin", body.bytes)
        // nginx sends the first 6 MiB at once, and the rest too slowly to wait for.
        let url = nginx.url(.http, "/slower/killed.bin")
        let run = try runs.start([url])
        try await runs.parts(atLeast: 5 << 20)
        run.signal(SIGKILL)
        #expect(try await run.ending().status == -SIGKILL)
        let results = try await runs.run([url])
        try runs.expectOnly(results.first, is: body.bytes, status: 206)
        #expect(results.first?.etag?.hasPrefix("\"") == true)
    }

    @Test func changedBodyRestarts() async throws {
        let nginx = try await NginxPeer.shared()
        let body = PartBody(count: 7 << 20, seed: 12)
        try nginx.makeFile("changed.bin", PartBody(count: 8 << 20, seed: 13).bytes)
        let url = nginx.url(.http, "/slower/changed.bin")
        let run = try runs.start([url])
        try await runs.parts(atLeast: 5 << 20)
        run.signal(SIGKILL)
        _ = try await run.ending()
        try nginx.makeFile("changed.bin", body.bytes)
        let results = try await runs.run([url])
        try runs.expectOnly(results.first, is: body.bytes, status: 200)
    }

    @Test func segmentsAreFetchedConcurrentlyAndJoined() async throws {
        let nginx = try await NginxPeer.shared()
        let body = PartBody(count: 33_554_443, seed: 14)
        try nginx.makeFile("long.bin", body.bytes)
        let results = try await runs.run(["--segments", "4", nginx.url(.http, "/long.bin")])
        try runs.expectOnly(results.first, is: body.bytes)
    }
}
