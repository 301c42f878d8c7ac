internal import AsyncHTTPClient
internal import GatewayKit
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import ServiceLifecycle

/// The client of the gateway: async-http-client, with what it has.
struct AHCUpstreamClient: Forwarding, Service {
    private let client: HTTPClient

    init(_ settings: GatewaySettings) throws {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: HTTPClient.Configuration.Timeout(connect: .seconds(2), read: .seconds(60))
        )
        var tls = TLSConfiguration.makeClientConfiguration()
        if let roots = settings.ca { tls.trustRoots = .file(roots) }
        if let certificate = settings.certificate, let key = settings.key {
            tls.certificateChain = try NIOSSLCertificate.fromPEMFile(certificate).map {
                .certificate($0)
            }
            tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
        }
        configuration.tlsConfiguration = tls
        // Its default of 8 is no match for this library's.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1024
        client = HTTPClient(
            eventLoopGroupProvider: .singleton,
            configuration: configuration
        )
    }

    var unavailable: Set<String> { [] }

    /// Ends the client after the server.
    func run() async throws {
        try? await gracefulShutdown()
        try await client.shutdown()
    }

    func forward(
        _ forwarded: ForwardedRequest,
        to upstream: Upstream
    ) async throws(GatewayFailure) -> ForwardedResponse {
        let server = upstream.nextServer()
        var request = HTTPClientRequest(
            url: "\(server.scheme)://\(server.authority)\(server.path)\(forwarded.path)"
        )
        request.method = HTTPMethod(rawValue: forwarded.method.rawValue)
        for field in forwarded.fields {
            request.headers.add(name: field.name.rawName, value: field.value)
        }
        if let upload = forwarded.body {
            request.body = .stream(upload, length: upload.length.map { .known($0) } ?? .unknown)
        }
        let remaining = ContinuousClock.now.duration(to: forwarded.deadline)
        do {
            let response = try await client.execute(
                request,
                deadline: .now() + TimeAmount(remaining)
            )
            return Self.forwarded(response)
        } catch {
            throw GatewayFailure(error, upstream)
        }
    }

    private static func forwarded(_ response: HTTPClientResponse) -> ForwardedResponse {
        var fields = HTTPFields()
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        fields.appendVia(version: "\(response.version.major).\(response.version.minor)")
        let status = HTTPResponse.Status(
            code: Int(response.status.code),
            reasonPhrase: response.status.reasonPhrase
        )
        return ForwardedResponse(status: status, fields: fields) { write in
            for try await part in response.body { try await write(part) }
            return nil
        }
    }
}

extension GatewayFailure {
    /// What the client gets for an error of the transfer.
    init(_ error: any Error, _ upstream: Upstream) {
        let known = error as? HTTPClientError
        let status =
            switch known {
            case .getConnectionFromPoolTimeout, .alreadyShutdown: 503
            case .deadlineExceeded, .readTimeout, .writeTimeout, .connectTimeout,
                .tlsHandshakeTimeout:
                504
            default: 502
            }
        let name = known?.shortDescription ?? "\(type(of: error))"
        self.init(status, name, upstream: upstream.name, message: "\(error)")
    }
}
