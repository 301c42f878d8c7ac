internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Each kind of hostile server, with a healthy one beside it on the same loop; one after the other,
/// because many of them send as fast as they can.
@Suite(.serialized, .timeLimit(.minutes(10))) struct HostileServerTests {
    @Test(arguments: HostileCase.heads)
    func aHeadBeyondAllBoundsIsATypedError(_ hostile: HostileCase) async throws {
        try await HostileRun.check(hostile)
    }

    @Test(arguments: HostileCase.statusLines)
    func bytesThatAreNoHTTPAreATypedError(_ hostile: HostileCase) async throws {
        try await HostileRun.check(hostile)
    }

    @Test(arguments: HostileCase.lengths)
    func aLengthThatLiesIsATypedError(_ hostile: HostileCase) async throws {
        try await HostileRun.check(hostile)
    }

    @Test(arguments: HostileCase.chunks)
    func aChunkThatLiesIsATypedError(_ hostile: HostileCase) async throws {
        try await HostileRun.check(hostile)
    }

    @Test(arguments: HostileCase.codings)
    func aContentCodingThatLiesIsATypedError(_ hostile: HostileCase) async throws {
        try await HostileRun.check(hostile)
    }

    @Test(arguments: HostileCase.redirects)
    func aRedirectToNowhereIsATypedError(_ hostile: HostileCase) async throws {
        try await HostileRun.check(hostile)
    }

    @Test(arguments: HostileCase.ways)
    func aWayThatEndsNowhereIsATypedError(_ hostile: HostileCase) async throws {
        try await HostileRun.check(hostile)
    }

    @Test(arguments: HostileCase.stages)
    func anEndAtAnyStageIsATypedError(_ hostile: HostileCase) async throws {
        try await HostileRun.check(hostile)
    }
}
