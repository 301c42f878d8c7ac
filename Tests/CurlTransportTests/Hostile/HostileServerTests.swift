internal import CurlTransport
internal import HTTPTypes
internal import TestSupport
internal import Testing

/// Each kind of hostile server, with a healthy one on the same loop.
///
/// The cases run one at a time, because many servers send as fast as they can.
@Suite(.serialized, .timeLimit(.minutes(10))) struct HostileServerTests {
    @Test(arguments: HostileCase.heads)
    func hugeHeadIsATypedError(_ hostile: HostileCase) async throws {
        try await HostileRun.check(hostile)
    }

    @Test(arguments: HostileCase.statusLines)
    func nonHTTPBytesAreATypedError(_ hostile: HostileCase) async throws {
        try await HostileRun.check(hostile)
    }

    @Test(arguments: HostileCase.lengths)
    func wrongContentLengthIsATypedError(_ hostile: HostileCase) async throws {
        try await HostileRun.check(hostile)
    }

    @Test(arguments: HostileCase.chunks)
    func wrongChunkSizeIsATypedError(_ hostile: HostileCase) async throws {
        try await HostileRun.check(hostile)
    }

    @Test(arguments: HostileCase.codings)
    func wrongContentCodingIsATypedError(_ hostile: HostileCase) async throws {
        try await HostileRun.check(hostile)
    }

    @Test(arguments: HostileCase.redirects)
    func invalidRedirectIsATypedError(_ hostile: HostileCase) async throws {
        try await HostileRun.check(hostile)
    }

    @Test(arguments: HostileCase.ways)
    func tlsProxyAndChallengeFailuresAreTypedErrors(_ hostile: HostileCase) async throws {
        try await HostileRun.check(hostile)
    }

    @Test(arguments: HostileCase.stages)
    func connectionEndInAnyPhaseIsATypedError(_ hostile: HostileCase) async throws {
        try await HostileRun.check(hostile)
    }
}
