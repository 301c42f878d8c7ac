import CurlResilience
import TestSupport
import Testing

@testable import BatchFetch

/// What the response to a `robots.txt` request allows (RFC 9309, 2.3.1), and how much is read.
@Suite struct RobotsAnswerTests {
    private func answer(_ outcome: AttemptOutcome) -> RobotsAnswer {
        RobotsAnswer(outcome, token: "example")
    }

    /// Whether a path is allowed; `nil` if the rules are unavailable.
    private func allows(_ path: String, _ outcome: AttemptOutcome) -> Bool? {
        guard case .file(let file) = answer(outcome) else { return nil }
        return file.allows(path)
    }

    private func reason(_ outcome: AttemptOutcome) -> String? {
        guard case .unavailable(let reason) = answer(outcome) else { return nil }
        return reason
    }

    @Test func rulesOfTheOwnTokenAreRead() {
        let text = "User-agent: *\nDisallow: /\n\nUser-agent: Example\nDisallow: /private\n"
        let outcome = AttemptOutcome(status: 200, end: .memory(Array(text.utf8)))
        #expect(allows("/public", outcome) == true)
        #expect(allows("/private/x", outcome) == false)
    }

    /// A redirect that couldn't be followed counts as a missing file.
    @Test(arguments: [302, 400, 401, 403, 404, 410, 451, 499])
    func missingFileAllowsEverything(status: Int) {
        #expect(allows("/private", .status(status)) == true)
    }

    @Test(arguments: [429, 500, 503, 599])
    func fileOfABusyHostIsUnavailable(status: Int) {
        #expect(reason(.status(status)) == "the server answered \(status)")
    }

    @Test func hostWithoutAnAnswerIsUnavailable() {
        #expect(reason(.failing(.timeout, .permanent)) == "timeout")
        #expect(reason(AttemptOutcome()) == "no response")
    }

    @Test func hostWithARefusedAddressIsRefused() {
        guard case .refused(let reason) = answer(.failing(.addressRefused, .permanent)) else {
            Issue.record("isn't refused")
            return
        }
        #expect(reason == "address_refused")
    }

    /// Rules that are missing could disallow anything.
    @Test func truncatedFileIsUnavailable() {
        var outcome = AttemptOutcome(status: 200)
        #expect(reason(outcome) == "the file's transfer ended early")
        outcome.failure = AttemptOutcome.wrongLength
        #expect(reason(outcome) == AttemptOutcome.wrongLength.reason.message)
    }

    // MARK: Reading

    private func end(of sink: RobotsSink, isComplete: Bool) -> Int? {
        let ends = Watched<[BodyEnd]>([])
        sink.finish(isComplete: isComplete) { end in ends.update { $0.append(end) } }
        guard case .memory(let bytes)? = ends.read({ $0.first }) else { return nil }
        return bytes.count
    }

    private func receive(_ count: Int, _ sink: RobotsSink) -> BodyDemand {
        sink.receive([UInt8](repeating: 0x23, count: count).span, flow: RecordingFlow())
    }

    @Test(arguments: [(true, 10), (false, nil)] as [(Bool, Int?)])
    func shortFileCountsOnlyIfItIsComplete(isComplete: Bool, count: Int?) {
        let sink = RobotsSink()
        #expect(receive(10, sink) == .more)
        #expect(end(of: sink, isComplete: isComplete) == count)
    }

    @Test func longFileIsReadUpToTheLimitAndCounts() {
        let sink = RobotsSink()
        #expect(receive(RobotsFile.maximumSize - 1, sink) == .more)
        #expect(receive(1, sink) == .stop)
        #expect(end(of: sink, isComplete: false) == RobotsFile.maximumSize)
    }
}
