import TestSupport
import Testing

/// `batchfetch fleet add` at once, and after a kill.
@Suite(.enabled(if: PostgresPeer.isAvailable), .timeLimit(.minutes(10)))
struct FleetAddTests {
    private func fleet(
        _ arguments: [String],
        of peer: PostgresPeer
    ) async throws -> CommandRun.Ending {
        try await CommandRun.ending(["fleet"] + arguments + ["--queue", peer.address])
    }

    /// The number before a word in a line.
    private func number(before word: String, in line: String) throws -> Int {
        let match = try #require(line.firstMatch(of: #/(\d+) (added|known)/#), "\(line)")
        guard match.2 == word else {
            let rest = line[match.range.upperBound...]
            return try number(before: word, in: String(rest))
        }
        return try #require(Int(match.1))
    }

    @Test("Overlapping lists that are added at once, one of them again after a kill, are joined")
    func killedListIsRepeated() async throws {
        let peer = try await PostgresPeer.start()
        let folder = try TemporaryDirectory()
        func lines(_ numbers: Range<Int>) -> String {
            // Sorted by host, so that both lists meet at the same hosts.
            numbers.map { "http://host\($0 / 700).example/\($0)\n" }.joined()
        }
        let first = try folder.write(lines(0..<6000), to: "first")
        let second = try folder.write(lines(3000..<9000), to: "second")
        #expect(try await fleet(["create", "may", "--discard"], of: peer).status == 0)
        let killed = try CommandRun(["fleet", "add", "may", "-", "--queue", peer.address])
        // The list isn't at its end, and two portions of 1,000 are complete.
        try killed.write(lines(0..<2500))
        try await Inspection.wait {
            (try? peer.query("SELECT count(*) FROM batchfetch.url")) == "2000"
        }
        killed.signal(9)
        #expect(try await killed.ending().status == -9)
        async let firstEnding = fleet(["add", "may", first], of: peer)
        async let secondEnding = fleet(["add", "may", second], of: peer)
        let endings = [try await firstEnding, try await secondEnding]
        #expect(endings.map(\.status) == [0, 0], "\(endings)")
        let added = try endings.map { try number(before: "added", in: $0.output) }
        #expect(added[0] + added[1] == 7000)
        #expect(try number(before: "known", in: endings[0].output) == 6000 - added[0])
        #expect(try number(before: "known", in: endings[1].output) == 6000 - added[1])
        let counts = "SELECT count(*), count(DISTINCT url), max(state) FROM batchfetch.url"
        #expect(try peer.query(counts) == "9000|9000|0")
        let status = try await fleet(["status", "may"], of: peer)
        #expect(status.output.contains("0 fetched, 0 failed, 9000 pending"))
        peer.stop()
    }
}
