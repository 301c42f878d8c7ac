import Curl
import CurlTransport
import HTTPTypes
import Synchronization

/// Makes attempts with a transport of its own.
final class TransportFetcher: Fetcher {
    private let transport: Transport
    private let options: PreparedOptions
    /// For lines that have a limit of their own.
    private let untimedOptions: PreparedOptions
    /// For requests that the server must not be sent twice.
    private let onceOptions: PreparedOptions
    private let untimedOnceOptions: PreparedOptions
    /// For parts of bodies, of which the other parts are there: nothing is decoded.
    private let partOptions: PreparedOptions
    private let untimedPartOptions: PreparedOptions
    /// For hosts' `robots.txt`.
    private let robotsOptions: PreparedOptions
    private let digests: Set<DigestAlgorithm>
    private let isHeadOnly: Bool
    private let traffic: Traffic
    /// Sent with each request, unless its line has others.
    private let fields: HTTPFields

    /// Starts the transport's threads.
    init(_ configuration: BatchConfiguration) throws(BatchFailure) {
        var options = TransferOptions()
        options.decodesContent = !configuration.output.keepsTransferred
        options.httpVersion = configuration.offersHTTP2.map { $0 ? .http2 : .http1 } ?? .automatic
        options.timeouts = Timeouts(
            connect: configuration.timeouts.connect,
            idle: configuration.timeouts.stall,
            firstByte: configuration.timeouts.firstByte
        )
        // The run follows them itself, for they may lead to other hosts, which have their limits.
        options.redirects = .refuse
        // And it asks again itself what was not answered, in its turn; but for HTTP/2, of whose streams
        // libcurl knows which a server has refused without a look at them.
        options.resendsUnanswered =
            configuration.offersHTTP2 ?? HTTPVersionPolicy.offersHTTP2ByDefault
        let untimed = options
        var untimedPart = options
        untimedPart.decodesContent = false
        var part = untimedPart
        part.timeouts.total = configuration.timeout
        options.timeouts.total = configuration.timeout
        var robots = options
        robots.redirects = .follow()
        // One request a host, without which none of its URLs would be fetched.
        robots.resendsUnanswered = true
        var once = options
        once.resendsUnanswered = configuration.retry.repeatsUnsafeRequests
        var untimedOnce = untimed
        untimedOnce.resendsUnanswered = once.resendsUnanswered
        digests = configuration.digests
        isHeadOnly = configuration.isHeadOnly
        fields = try Self.fields(configuration.politeness)
        var transport = TransportConfiguration()
        transport.eventLoopCount = configuration.eventLoopCount
        transport.maximumIdleConnections = max(64, configuration.concurrency)
        do throws(SystemFailure) {
            traffic = try Traffic(configuration.limits)
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
            throw BatchFailure(.resources, error.message)
        }
    }

    deinit {
        transport.beginShutdown()
        traffic.bandwidth?.end()
    }

    /// Who asks, for the servers' logs.
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
                    "“\(value)” can't be a \(name): leave out line ends and the like"
                )
            }
            fields[name] = value
        }
        return fields
    }

    var behindUntil: MonotonicTime? { traffic.bandwidth?.behindUntil }

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
            part?.addFields(to: &request.headerFields)
            let attempt = FetchAttempt(
                request,
                url: target.requestURL,
                isRobots: target.isRobots,
                part: part,
                digests: target.isRobots ? [] : digests,
                expecting: details?.digests ?? [],
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

    /// What a line says counts before what holds for all.
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
        traffic.bandwidth?.end()
    }
}
