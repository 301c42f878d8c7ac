internal import CurlTransport
internal import TestSupport
internal import Testing

/// A faulty HTTP/2 server, with other requests on the same transport.
@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: FaultyHTTP2Peer.isAvailable))
struct HostileHTTP2Tests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let path: String
        let codes: [TransportError.Code]

        init(_ path: String, _ codes: TransportError.Code...) {
            (self.path, self.codes) = (path, codes)
        }

        var testDescription: String { path }
    }

    private static let faults = [
        Fault("/reset?code=CANCEL&when=before-head", .streamReset),
        Fault("/reset?code=INTERNAL_ERROR&when=after-head", .streamReset, .truncatedResponse),
        Fault("/reset?code=INTERNAL_ERROR&when=mid-body", .streamReset, .truncatedResponse),
        Fault(
            "/goaway?code=PROTOCOL_ERROR&when=before-head",
            .idleTimeout,
            .http2Connection,
            .streamReset,
            .connectionLost,
            .emptyReply
        ),
        Fault(
            "/goaway?code=PROTOCOL_ERROR&when=mid-body",
            .idleTimeout,
            .http2Connection,
            .streamReset,
            .truncatedResponse,
            .connectionLost
        ),
        Fault(
            "/close?when=before-head",
            .idleTimeout,
            .http2Connection,
            .connectionLost,
            .emptyReply,
            .streamReset
        ),
        Fault(
            "/close?when=after-head",
            .idleTimeout,
            .http2Connection,
            .connectionLost,
            .truncatedResponse,
            .streamReset
        ),
        Fault(
            "/close?when=mid-body",
            .idleTimeout,
            .http2Connection,
            .connectionLost,
            .truncatedResponse,
            .streamReset
        ),
        Fault(
            "/close?when=mid-body&abrupt=yes",
            .http2Connection,
            .connectionLost,
            .truncatedResponse,
            .streamReset
        ),
        Fault("/short?size=100&length=200", .truncatedResponse, .streamReset),
        Fault("/calm", .idleTimeout, .http2Connection, .streamReset, .connectionLost, .emptyReply),
        Fault("/stall?when=before-head", .idleTimeout),
        Fault("/stall?when=after-head", .idleTimeout),
        Fault("/stall?when=mid-body", .idleTimeout),
    ]

    @Test(arguments: faults)
    func http2FaultIsATypedError(_ fault: Fault) async throws {
        let peer = try await FaultyHTTP2Peer.shared()
        var options = TransferOptions.patient
        options.httpVersion = .http2
        options.tls.trustRoots = .file(peer.certificates.authority)
        options.timeouts.total = .seconds(60)
        // A closure alert between two reads may go unnoticed until the connection closes, which
        // this server delays by half a minute.
        options.timeouts.idle = .seconds(3)
        let client = try HTTPClient(options: options)
        var hostile = options
        // Other faults end the request as soon as the server commits them, however late.
        if !fault.codes.contains(.idleTimeout) { hostile.timeouts.idle = .seconds(60) }
        if fault.codes == [.idleTimeout] { hostile.timeouts.idle = .milliseconds(300) }
        async let ended = HostileRun.outcome(client, peer.url(fault.path), nil, hostile)
        async let beside = HostileRun.outcome(client, peer.url("/body?size=5"), nil, options)
        switch await ended {
        case .failure(let error): #expect(fault.codes.contains(error.code), "\(error)")
        case .success(let response):
            Issue.record("\(response.status) with \(response.body.count) bytes")
        }
        HostileTable.add("HTTP/2: \(fault.path)", await ended)
        // A request on the same connection may fail too; a later one must succeed.
        _ = await beside
        options.timeouts.idle = .seconds(60)
        let after = await HostileRun.outcome(client, peer.url("/body?size=5"), nil, options)
        if case .failure(let error) = after { Issue.record("a healthy transfer failed: \(error)") }
        await client.shutdown()
    }
}
