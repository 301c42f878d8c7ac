import CurlTransport
internal import HTTPTypes

/// The transport's options for each kind of request, checked once.
struct AttemptOptions: Sendable {
    private let usual: PreparedOptions
    /// For lines with their own timeout.
    private let untimed: PreparedOptions
    /// For requests that must not be sent twice.
    private let once: PreparedOptions
    private let untimedOnce: PreparedOptions
    /// For range requests, whose content isn't decoded.
    private let part: PreparedOptions
    private let untimedPart: PreparedOptions
    /// For `robots.txt`.
    private let robots: PreparedOptions

    /// - Parameter authentication: How the transport authenticates these requests.
    /// - Throws: ``BatchFailure/Code/configuration`` for an invalid value, and
    ///   ``BatchFailure/Code/resources`` if the system lacks something.
    init(
        _ configuration: BatchConfiguration,
        authentication: Authentication? = nil
    ) throws(BatchFailure) {
        var options = try Self.common(configuration)
        options.authentication = authentication
        let untimed = options
        var untimedPart = options
        untimedPart.decodesContent = false
        var part = untimedPart
        part.timeouts.total = configuration.timeout
        options.timeouts.total = configuration.timeout
        var robots = options
        robots.redirects = configuration.connection.redirects
        // The transport follows these redirects, and knows only usual names of private fields.
        robots.redirects.credentialFields = configuration.requests.headerFields.map(\.name)
            .filter { RedirectFields.isPrivate($0) }
        robots.decodesContent = true
        // One request per host, without which none of its URLs would be fetched.
        robots.retriesOnReusedConnectionLoss = .always
        var once = options
        once.retriesOnReusedConnectionLoss =
            configuration.retry.repeatsUnsafeRequests ? .always : .never
        var untimedOnce = untimed
        untimedOnce.retriesOnReusedConnectionLoss = once.retriesOnReusedConnectionLoss
        do throws(TransportError) {
            usual = try PreparedOptions(options)
            self.untimed = try PreparedOptions(untimed)
            self.once = try PreparedOptions(once)
            self.untimedOnce = try PreparedOptions(untimedOnce)
            self.part = try PreparedOptions(part)
            self.untimedPart = try PreparedOptions(untimedPart)
            self.robots = try PreparedOptions(robots)
        } catch {
            throw BatchFailure(startingWith: error)
        }
    }

    /// The options that all requests share.
    private static func common(
        _ configuration: BatchConfiguration
    ) throws(BatchFailure) -> TransferOptions {
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
        options.omittedFields = configuration.requests.omittedFields
        try configuration.connection.apply(to: &options)
        options.addressScope = try configuration.addressScope(proxy: options.proxy)
        return options
    }

    /// The options for a request to `target`.
    func options(for target: FetchTarget) -> PreparedOptions {
        if target.isRobots { return robots }
        let isTimed = target.details?.request.timeout == nil
        guard target.isIdempotent else { return isTimed ? once : untimedOnce }
        guard target.details?.part != nil else { return isTimed ? usual : untimed }
        return isTimed ? part : untimedPart
    }
}
