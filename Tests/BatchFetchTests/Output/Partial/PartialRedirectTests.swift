import TestSupport
import Testing

/// Partial downloads of bodies that redirects lead to.
@Suite(.timeLimit(.minutes(10))) struct PartialRedirectTests {
    private let runs: PartialRuns

    init() throws {
        runs = try PartialRuns()
    }

    private static let body = PartBody(count: 2_097_161)
    /// Happens to have the same entity tag.
    private static let other = PartBody(count: 2_097_161, seed: 8)
    private static let half = 1_300_007

    /// A server that redirects `/from` to each location in turn. It breaks off the first body.
    private func server(_ locations: [String]) throws -> PartServer {
        let turn = Counter()
        let bodies = Counter()
        return try PartServer { _, request in
            guard request.path != "/from" else {
                turn.increment()
                return .reply(.redirect(to: locations[min(turn.value, locations.count) - 1]))
            }
            bodies.increment()
            let answer = PartAnswer.body(request.path == "/body" ? Self.body : Self.other)
            return bodies.value == 1 ? answer.breaking(after: Self.half) : answer
        }
    }

    @Test(arguments: [
        ["/body"], ["/body?signature=1", "/body?signature=2"], ["/body?a", "/body"],
    ])
    func sameRedirectTargetIsResumed(locations: [String]) async throws {
        let server = try server(locations)
        let url = server.server.url + "/from"
        try await runs.fail([url])
        let results = try await runs.run([url])
        try runs.expectOnly(results.first, is: Self.body.bytes, status: 206)
        let final = server.server.url + (locations.last ?? "")
        #expect(results.first?.final_url == final)
        #expect(server.requests.map { $0.range?.first } == [nil, nil, nil, Self.half])
        #expect(server.requests.dropLast().allSatisfy { $0.requestsWholeBody })
    }

    @Test func otherPathOfARedirectRestartsTheBody() async throws {
        let server = try server(["/body", "/other"])
        let url = server.server.url + "/from"
        try await runs.fail([url])
        let results = try await runs.run([url])
        try runs.expectOnly(results.first, is: Self.other.bytes, status: 200)
        #expect(server.requests.allSatisfy { $0.requestsWholeBody })
    }

    @Test func otherServerOfARedirectRestartsTheBody() async throws {
        let second = try PartServer(Self.other)
        let first = try server(["/body", second.url])
        let url = first.server.url + "/from"
        try await runs.fail([url])
        let results = try await runs.run([url])
        try runs.expectOnly(results.first, is: Self.other.bytes, status: 200)
        #expect((first.requests + second.requests).allSatisfy { $0.requestsWholeBody })
    }

    @Test func missingRedirectRestartsTheBody() async throws {
        let bodies = Counter()
        let server = try PartServer { number, request in
            guard number > 0 else { return .reply(.redirect(to: "/body")) }
            bodies.increment()
            let answer = PartAnswer.body(request.path == "/body" ? Self.body : Self.other)
            return bodies.value == 1 ? answer.breaking(after: Self.half) : answer
        }
        let url = server.server.url + "/from"
        try await runs.fail([url])
        let results = try await runs.run([url])
        try runs.expectOnly(results.first, is: Self.other.bytes, status: 200)
        #expect(server.requests.allSatisfy { $0.requestsWholeBody })
    }

    @Test func redirectOfARangeRequestRestartsTheBody() async throws {
        // The first request isn't redirected.
        let server = try PartServer { number, request in
            switch (number, request.path) {
            case (0, _): .body(Self.body).breaking(after: Self.half)
            case (_, "/body"): .reply(.redirect(to: "/other"))
            default: .body(Self.other)
            }
        }
        try await runs.fail([server.url])
        let results = try await runs.run([server.url])
        try runs.expectOnly(results.first, is: Self.other.bytes, status: 200)
        #expect(server.requests.last?.requestsWholeBody == true)
    }
}
