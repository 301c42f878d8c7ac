import CurlTransport
import HTTPTypes
import Posix
import Synchronization

/// Makes attempts with its own transport.
final class TransportFetcher: Fetcher {
    private let transport: Transport
    private let options: PreparedOptions
    /// The options for lines with their own timeout.
    private let untimedOptions: PreparedOptions
    /// The options for requests that must not be sent twice.
    private let onceOptions: PreparedOptions
    private let untimedOnceOptions: PreparedOptions
    /// The options for range requests, whose content isn't decoded.
    private let partOptions: PreparedOptions
    private let untimedPartOptions: PreparedOptions
    /// The options for `robots.txt`.
    private let robotsOptions: PreparedOptions
    private let digests: Set<DigestAlgorithm>
    private let isHeadOnly: Bool
    /// Whether bodies aren't decoded.
    private let keepsEncoding: Bool
    private let traffic: Traffic
    /// The fields of each request, unless its line has its own.
    private let fields: HTTPFields

    /// Starts the transport's threads.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` for an invalid field value, and
    ///   ``BatchFailure/Code/resources`` if the transport can't start.
    init(_ configuration: BatchConfiguration) throws(BatchFailure) {
        var options = TransferOptions()
        options.decodesContent = !configuration.keepsEncoding
        options.httpVersion = configuration.offersHTTP2.map { $0 ? .http2 : .http1 } ?? .automatic
        options.timeouts = Timeouts(
            connect: configuration.timeouts.connect,
            idle: configuration.timeouts.stall,
            firstByte: configuration.timeouts.firstByte
        )
        // The run follows redirects itself, because they may lead to other hosts with their own
        // limits.
        options.redirects = .refuse
        // The run also retries unanswered requests itself, in their turn. With HTTP/2 libcurl does
        // it, because it knows which streams a server has refused without processing them.
        options.retriesOnReusedConnectionLoss =
            configuration.offersHTTP2 ?? HTTPVersionPolicy.offersHTTP2ByDefault ? .always : .never
        try configuration.connection.apply(to: &options)
        let untimed = options
        var untimedPart = options
        untimedPart.decodesContent = false
        var part = untimedPart
        part.timeouts.total = configuration.timeout
        options.timeouts.total = configuration.timeout
        var robots = options
        robots.redirects = .follow()
        robots.decodesContent = true
        // One request per host, without which none of its URLs would be fetched.
        robots.retriesOnReusedConnectionLoss = .always
        var once = options
        once.retriesOnReusedConnectionLoss =
            configuration.retry.repeatsUnsafeRequests ? .always : .never
        var untimedOnce = untimed
        untimedOnce.retriesOnReusedConnectionLoss = once.retriesOnReusedConnectionLoss
        digests = configuration.digests
        isHeadOnly = configuration.isHeadOnly
        keepsEncoding = configuration.keepsEncoding
        fields = try Self.fields(configuration.politeness)
        var transport = TransportConfiguration()
        transport.eventLoopCount = configuration.eventLoopCount
        transport.maximumIdleConnections = max(64, configuration.concurrency)
        do throws(SystemFailure) {
            traffic = try Traffic(
                configuration.limits,
                minimumSpeed: configuration.timeouts.minimumSpeed
            )
        } catch {
            throw BatchFailure(.resources, "\(error)")
        }
        do {
            self.options = try PreparedOptions(options)
            untimedOptions = try PreparedOptions(untimed)
            onceOptions = try PreparedOptions(once)
            untimedOnceOptions = try PreparedOptions(untimedOnce)
            partOptions = try PreparedOptions(part)
            untimedPartOptions = try PreparedOptions(untimedPart)
            robotsOptions = try PreparedOptions(robots)
            self.transport = try Transport(configuration: transport)
        } catch {
            throw BatchFailure(Self.code(of: error), error.message)
        }
    }

    /// The code of an error of the options: a wrong value is the caller's fault.
    private static func code(of error: TransportError) -> BatchFailure.Code {
        switch error.code {
        case .configuration, .unsupportedFeature: .configuration
        default: .resources
        }
    }

    deinit {
        transport.beginShutdown()
        traffic.end()
    }

    /// The fields that identify the client in servers' logs.
    private static func fields(_ politeness: Politeness) throws(BatchFailure) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in [
            (HTTPField.Name.userAgent, politeness.userAgent),
            (HTTPField.Name("From"), politeness.from),
        ] {
            guard let name, let value else { continue }
            guard HTTPField.isValidValue(value) else {
                throw BatchFailure(
                    .configuration,
                    "the \(name) has line ends or other control characters: remove them"
                )
            }
            fields[name] = value
        }
        return fields
    }

    /// The codings of bodies that aren't decoded: those that readers of archives know.
    private static let codings = "gzip, deflate"

    var behindUntil: MonotonicTime? { traffic.bandwidth?.behindUntil }

    var largeBodies: LargeBodyProgress { traffic.large.progress }

    var receivedBytes: Int64 { traffic.received.load(ordering: .relaxed) }

    func start(
        _ target: FetchTarget,
        sink: @escaping SinkMaker,
        completion: @escaping @Sendable (AttemptOutcome) -> Void
    ) {
        do {
            let details = target.details?.request
            let method = details?.method ?? .get
            let part = target.details?.part
            var request = try HTTPRequest(
                method: isHeadOnly && method == .get && !target.isRobots ? .head : method,
                url: target.url,
                headerFields: headerFields(details?.headerFields)
            )
            if keepsEncoding, request.headerFields[.acceptEncoding] == nil {
                // Expected checksums are those of bodies without coding.
                let hasDigest = details.map { !$0.digests.isEmpty } ?? false
                request.headerFields[.acceptEncoding] = hasDigest ? "identity" : Self.codings
            }
            part?.addFields(to: &request.headerFields)
            let attempt = FetchAttempt(
                request,
                url: target.requestURL,
                isRobots: target.isRobots,
                part: part,
                digests: target.isRobots ? [] : digests,
                expecting: details?.digests ?? [],
                keepsEncoding: keepsEncoding && !target.isRobots,
                traffic: traffic,
                sink: sink,
                completion: completion
            )
            let transfer = TransferRequest(
                request,
                body: Self.body(details?.body ?? .none),
                options: options(for: target),
                timeLimit: details?.timeout
            )
            transport.start(transfer, delegate: attempt)
        } catch {
            var outcome = AttemptOutcome()
            outcome.failure = (BatchFailure(.invalidURL, error.message), .permanent)
            completion(outcome)
        }
    }

    private func options(for target: FetchTarget) -> PreparedOptions {
        if target.isRobots { return robotsOptions }
        let isTimed = target.details?.request.timeout == nil
        guard target.isIdempotent else { return isTimed ? onceOptions : untimedOnceOptions }
        guard target.details?.part != nil else { return isTimed ? options : untimedOptions }
        return isTimed ? partOptions : untimedPartOptions
    }

    /// The fields of a line take precedence over the general ones.
    private func headerFields(_ own: HTTPFields?) -> HTTPFields {
        guard let own, !own.isEmpty else { return fields }
        var result = own
        for field in fields where !own.contains(field.name) { result.append(field) }
        return result
    }

    private static func body(_ body: BatchRequest.Body) -> RequestBody {
        switch body {
        case .none: .none
        case .bytes(let bytes): .bytes(bytes)
        case .file(let path): .file(path: path)
        }
    }

    func cancelAll() {
        transport.beginShutdown()
        traffic.end()
    }
}
