internal import Configuration
internal import CurlResilience
internal import CurlServices
internal import CurlTransport
internal import GatewayKit
internal import HTTPTypes
internal import Logging
internal import NIOCore

/// The client of the gateway: one pool of connections, and middleware around it.
struct UpstreamClient: Forwarding {
    let client: ReloadingClient
    let reporter: StatisticsReporter
    private let circuits: OpenCircuits
    private let chains: [String: MiddlewareChain]

    init(_ settings: GatewaySettings, _ config: ConfigReader, _ logger: Logger) throws {
        var defaults = ClientSettings()
        defaults.configuration.maximumQueued = 10_000
        defaults.options.timeouts.connect = .seconds(2)
        // Responses are passed on as they are.
        defaults.options.decodesContent = false
        defaults.options.redirects = .refuse
        defaults.options.userAgent = nil
        defaults.options.omittedFields = [.accept, .acceptEncoding]
        if let roots = settings.ca { defaults.options.tls.trustRoots = .file(roots) }
        if let certificate = settings.certificate, let key = settings.key {
            defaults.options.tls.clientIdentity = .watching(certificate: certificate, key: key)
        }
        let circuits = OpenCircuits(logger)
        let client = try ReloadingClient(
            reading: config,
            defaults: defaults,
            middleware: [
                CircuitBreakerMiddleware { circuits.record($0) }, MetricsMiddleware(),
            ],
            grace: .seconds(2)
        ) { result in
            switch result {
            case .success: logger.notice("client reconfigured")
            case .failure(let error): logger.error("client not reconfigured: \(error)")
            }
        }
        self.client = client
        reporter = StatisticsReporter(client)
        self.circuits = circuits
        // Retries have a budget for each upstream, and go to its next server.
        chains = settings.upstreams.mapValues { upstream in
            MiddlewareChain(
                [
                    TracingMiddleware(), LoggingMiddleware(), RetryMiddleware(),
                    ServerRotation(upstream: upstream, circuits: circuits),
                ],
                around: client
            )
        }
    }

    var unavailable: Set<String> { circuits.origins }

    func forward(
        _ forwarded: ForwardedRequest,
        to upstream: Upstream
    ) async throws(GatewayFailure) -> ForwardedResponse {
        guard let chain = chains[upstream.name] else {
            throw GatewayFailure(404, "unknownUpstream", message: "no upstream \(upstream.name)")
        }
        let request = HTTPRequest(
            method: forwarded.method,
            scheme: upstream.servers[0].scheme,
            authority: upstream.servers[0].authority,
            path: forwarded.path,
            headerFields: forwarded.fields
        )
        let context = RequestContext(
            deadline: forwarded.deadline,
            name: "\(forwarded.method) /\(upstream.name)"
        )
        do throws(TransportError) {
            let response = try await chain.send(
                request,
                body: Self.body(of: forwarded),
                context: context
            )
            return Self.forwarded(response)
        } catch {
            throw GatewayFailure(error, upstream)
        }
    }

    /// The content is read at the pace of the upstream, so it can be sent only once.
    private static func body(of forwarded: ForwardedRequest) -> RequestBody {
        guard let upload = forwarded.body else { return .none }
        return .stream(
            length: upload.length,
            upload.map { (part: ByteBuffer) in [UInt8](part.readableBytesView) }
        )
    }

    private static func forwarded(_ response: HTTPClientResponse) -> ForwardedResponse {
        var fields = response.headerFields
        fields.appendVia(version: response.head.httpVersion)
        return ForwardedResponse(status: response.status, fields: fields) { write in
            for try await chunk in response.body { try await write(ByteBuffer(bytes: chunk)) }
            return response.trailers
        }
    }
}

extension GatewayFailure {
    /// What the client gets for an error of the transfer.
    init(_ error: TransportError, _ upstream: Upstream) {
        let status =
            switch error.code {
            case .invalidRequest, .invalidURL, .requestBodyFailed: 400
            case .circuitOpen, .queueFull, .poolTimeout, .resourceExhausted, .shutdown, .cancelled:
                503
            case .deadlineExceeded where error.phase == .queued: 503
            case _ where error.isTimeout: 504
            default: 502
            }
        self.init(
            status,
            error.code.description,
            phase: error.phase.description,
            upstream: upstream.name,
            message: error.message
        )
    }
}
