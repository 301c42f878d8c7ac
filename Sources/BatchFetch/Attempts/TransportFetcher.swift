import CurlResilience
import CurlTransport
import HTTPTypes
import Posix
import Synchronization

/// Makes attempts with its own transport.
final class TransportFetcher: Fetcher {
    private let transport: Transport
    private let options: AttemptOptions
    /// The options of requests that the transport signs; `nil` if it signs none.
    private let signedOptions: AttemptOptions?
    private let digests: Set<DigestAlgorithm>
    private let isHeadOnly: Bool
    /// Whether bodies aren't decoded.
    private let keepsEncoding: Bool
    private let redirects: RedirectPolicy
    /// The unix socket of all connections; `nil` for none.
    private let socket: String?
    private let traffic: Traffic
    /// The fields of each request, unless its line has its own.
    private let fields: AddedFields
    /// Fields that requests have only if they are their own.
    private let omittedFields: Set<HTTPField.Name>
    /// The cookies of the run; `nil` if none are kept.
    private let cookies: RunCookies?

    /// Starts the transport's threads.
    ///
    /// - Throws: ``BatchFailure/Code/configuration`` for an invalid field value, and
    ///   ``BatchFailure/Code/resources`` if the transport can't start.
    init(_ configuration: BatchConfiguration) throws(BatchFailure) {
        options = try AttemptOptions(configuration)
        signedOptions = try configuration.requests.authentication.map {
            authentication throws(BatchFailure) in
            try AttemptOptions(configuration, authentication: authentication)
        }
        fields = try AddedFields(configuration)
        omittedFields = configuration.requests.omittedFields
        cookies =
            switch configuration.requests.cookies {
            case .none: nil
            case .memory: try RunCookies()
            case .file(let path): try RunCookies(path: path)
            }
        digests = configuration.digests
        isHeadOnly = configuration.isHeadOnly
        keepsEncoding = configuration.keepsEncoding
        redirects = configuration.connection.redirects
        socket = configuration.connection.unixSocket
        var transport = TransportConfiguration()
        let loops = configuration.eventLoopCount(processors: Processors.usableCount)
        transport.eventLoopCount = loops
        // A body's sink waits for disks and bandwidth, and never for another body.
        transport.maximumDecoderMemory = Self.decoderMemory
        transport.maximumIdleConnections = configuration.idleConnections(
            loops: loops,
            openFiles: OpenFileLimit.current
        )
        transport.idleConnectionLifetime = BatchConfiguration.idleConnectionLifetime
        do throws(SystemFailure) {
            traffic = try Traffic(
                configuration.limits,
                minimumSpeed: configuration.timeouts.minimumSpeed
            )
        } catch {
            throw BatchFailure(.resources, "\(error)")
        }
        do throws(TransportError) {
            self.transport = try Transport(configuration: transport)
        } catch {
            throw BatchFailure(startingWith: error)
        }
    }

    deinit {
        transport.beginShutdown()
        traffic.end()
    }

    /// The maximum memory for windows of decoders in bytes: 6 of the largest Brotli windows, or 15
    /// of Zstandard.
    private static let decoderMemory = 128 << 20

    /// The codings of bodies that aren't decoded: those that readers of archives know.
    private static let codings = "gzip, deflate"

    var behindUntil: MonotonicTime? { traffic.bandwidth?.behindUntil }

    var largeBodies: LargeBodyProgress { traffic.large.progress }

    var receivedBytes: Int64 { traffic.received.load(ordering: .relaxed) }

    func start(
        _ target: FetchTarget,
        keepsConnection: Bool,
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
                headerFields: details?.headerFields ?? [:]
            )
            part?.addFields(to: &request.headerFields)
            let ownFields = request.headerFields
            fields.add(to: &request.headerFields, for: target)
            if keepsEncoding, lacks(.acceptEncoding, request) {
                // Expected checksums are those of bodies without coding.
                let hasDigest = details.map { !$0.digests.isEmpty } ?? false
                request.headerFields[.acceptEncoding] = hasDigest ? "identity" : Self.codings
            }
            let jar = addCookies(to: &request, for: target)
            let attempt = FetchAttempt(
                request,
                ownFields: ownFields,
                url: target.requestURL,
                isRobots: target.isRobots,
                redirects: redirects,
                part: part,
                digests: target.isRobots ? [] : digests,
                expecting: details?.digests ?? [],
                keepsEncoding: keepsEncoding && !target.isRobots,
                traffic: traffic,
                sink: Self.storing(jar, sink),
                completion: namingSocket(completion)
            )
            var transfer = TransferRequest(
                request,
                body: Self.body(details?.body ?? .none),
                options: preparedOptions(for: target, request),
                timeLimit: details?.timeout
            )
            transfer.keepsConnection = keepsConnection
            transport.start(transfer, delegate: attempt)
        } catch {
            var outcome = AttemptOutcome()
            outcome.failure = (BatchFailure(.invalidURL, error.message), .permanent)
            completion(outcome)
        }
    }

    /// Adds the cookies of a request without its own, and returns where its response's go.
    ///
    /// None of both for `robots.txt`: the transport follows its redirects to other hosts.
    private func addCookies(
        to request: inout HTTPRequest,
        for target: FetchTarget
    ) -> OriginCookies? {
        guard let cookies, !target.isRobots else { return nil }
        let origin = CookieOrigin(
            host: target.host,
            isSecure: target.isSecure,
            path: request.path
        )
        if lacks(.cookie, request), let value = cookies.field(for: origin) {
            request.headerFields[.cookie] = value
        }
        return OriginCookies(cookies: cookies, origin: origin)
    }

    /// The number of CURLE_COULDNT_CONNECT.
    private static let noConnection: Int32 = 7

    /// Adds the path of the unix socket to a failure to connect, which names only the URL's host.
    private func namingSocket(
        _ completion: @escaping @Sendable (AttemptOutcome) -> Void
    ) -> @Sendable (AttemptOutcome) -> Void {
        guard let socket else { return completion }
        return { outcome in
            guard let (reason, cause) = outcome.failure, reason.curlCode == Self.noConnection else {
                return completion(outcome)
            }
            let remark = "connections go to the unix socket “\(socket)”"
            completion(outcome.failing((reason.adding(remark), cause)))
        }
    }

    /// Whether a field may be added to a request.
    private func lacks(_ name: HTTPField.Name, _ request: HTTPRequest) -> Bool {
        !omittedFields.contains(name) && !request.headerFields.contains(name)
    }

    /// A sink maker that stores a response's cookies first.
    private static func storing(
        _ jar: OriginCookies?,
        _ sink: @escaping SinkMaker
    ) -> SinkMaker {
        guard let jar else { return sink }
        return { head, request in
            jar.store(head)
            return sink(head, request)
        }
    }

    /// The options of a request, which is signed unless it has other credentials.
    private func preparedOptions(
        for target: FetchTarget,
        _ request: HTTPRequest
    ) -> PreparedOptions {
        let maySign = target.allowsCredentials && !request.headerFields.contains(.authorization)
        return (maySign ? signedOptions ?? options : options).options(for: target)
    }

    private static func body(_ body: BatchRequest.Body) -> RequestBody {
        switch body {
        case .none: .none
        case .bytes(let bytes): .bytes(bytes)
        case .file(let path): .file(path: path)
        }
    }

    func finish() -> BatchFailure? { cookies?.save() }

    func cancelAll() {
        transport.beginShutdown()
        traffic.end()
    }
}

/// Where the cookies of one request's responses go.
private struct OriginCookies: Sendable {
    let cookies: RunCookies
    let origin: CookieOrigin

    /// Stores the cookies of a response.
    func store(_ head: ResponseHead) {
        // Most responses set none.
        guard head.firstValueBytes(of: .setCookie) != nil else { return }
        cookies.store(head.values(of: "set-cookie"), from: origin)
    }
}
