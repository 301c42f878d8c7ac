import CurlTransport
import Foundation
import HTTPTypes
import TestSupport

/// A client for servers with certificates of the test authority.
struct PeerClient: Sendable {
    let client: HTTPClient

    init(
        configuration: TransportConfiguration = TransportConfiguration(),
        hooks: ClientHooks = ClientHooks(),
        _ change: (inout TransferOptions) -> Void = { _ in }
    ) throws {
        client = try HTTPClient(
            configuration: configuration,
            options: PeerClient.options(change),
            hooks: hooks
        )
    }

    /// Options that trust the test authority and time out before a test does.
    static func options(
        _ change: (inout TransferOptions) -> Void = { _ in }
    ) throws -> TransferOptions {
        var options = TransferOptions()
        options.tls.trustRoots = .file(try Certificates.shared().authority)
        options.timeouts = Timeouts(connect: .seconds(60), idle: .seconds(60))
        change(&options)
        return options
    }

    /// Sends a request and reads the whole response.
    ///
    /// Never inlined: with -O swiftc 6.3.1 crashes over one of the tests that it is inlined into.
    @inline(never)
    func fetch(
        _ url: String,
        method: HTTPRequest.Method = .get,
        headerFields: HTTPFields = [:],
        body: RequestBody = .none,
        options: TransferOptions? = nil
    ) async throws(TransportError) -> Fetched {
        let request = try HTTPRequest(method: method, url: url, headerFields: headerFields)
        let response = try await client.send(
            request,
            body: body,
            options: options ?? client.options
        )
        let bytes = try await response.body.collect(upTo: 1 << 30)
        return Fetched(response: response, bytes: bytes)
    }

    /// The error of a request; nil if it succeeds.
    func failure(
        _ url: String,
        method: HTTPRequest.Method = .get,
        body: RequestBody = .none,
        options: TransferOptions? = nil
    ) async -> TransportError? {
        do {
            _ = try await fetch(url, method: method, body: body, options: options)
            return nil
        } catch {
            return error
        }
    }
}

/// A response that has been read to its end.
struct Fetched: Sendable {
    let response: HTTPClientResponse
    let bytes: [UInt8]

    var status: Int { response.status.code }
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var metrics: TransferMetrics { response.metrics ?? TransferMetrics() }
}

extension TemporaryDirectory {
    static func bytes(ofFile path: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
