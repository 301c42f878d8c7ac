internal import Curl
internal import HTTPTypes

// What a transfer makes of the end of a hop, of a redirect and of a time limit.

extension Transfer {
    /// The URL for messages: no user name, password, query or fragment.
    var redactedURL: String {
        let path = request.path ?? "/"
        return endpoint.origin + path.prefix { $0 != "?" && $0 != "#" }
    }

    var originKey: OriginKey {
        OriginKey(
            origin: endpoint.identity,
            route: plan.options.route,
            hasName: plan.options.needsLookup(of: endpoint)
        )
    }

    /// What approvals of certificates are remembered for.
    var trustOrigin: String { endpoint.identity }

    /// Why the hop failed; nil if it didn't. Our own reason comes first: libcurl then only knows
    /// that a callback stopped it.
    func error(after hop: Hop, code: CurlCode) -> TransportError? {
        if let failure { return failure }
        if code == .ok { return missingHead(of: hop) ?? missingBytes(of: hop) }
        if hop.isDecoded, hop.hasHead {
            // Nobody but libcurl's decoders has a reason that isn't recorded.
            if code == .writeError { return undecodable(hop, code, "it is damaged") }
            // More came out of a few bytes than libcurl can keep for a reader that is slower.
            if code == .outOfMemory {
                return undecodable(hop, code, "it expands beyond measure")
            }
        }
        return TransportError(curlCode: code, context: context(of: hop))
    }

    /// Why a hop couldn't be let go on; nil where it could, or where it has no connection yet.
    func error(releasing hop: Hop, code: CurlCode) -> TransportError? {
        guard code != .ok, code != .badFunctionArgument else { return nil }
        return error(after: hop, code: code)
    }

    private func undecodable(_ hop: Hop, _ code: CurlCode, _ reason: String) -> TransportError {
        var error = TransportError(curlCode: .badContentEncoding, context: context(of: hop))
        error.curlCode = code.rawValue
        error.message = "the response body couldn't be decompressed: \(reason)."
        return error
    }

    /// libcurl takes the connection's end within a head for the end of the response.
    private func missingHead(of hop: Hop) -> TransportError? {
        guard !hop.hasHead, machine.state == .running else { return nil }
        var error = TransportError(curlCode: .partialFile, context: context(of: hop))
        error.curlCode = nil
        error.message = "the connection ended within the head of the response."
        return error
    }

    /// libcurl before 8.0 takes the end of an HTTP/2 stream for the end of its body.
    private func missingBytes(of hop: Hop) -> TransportError? {
        guard let expected = hop.contentLength, let received = hop.easy.handle.get(.sizeDownload),
            received < expected
        else { return nil }
        var error = TransportError(curlCode: .partialFile, context: context(of: hop))
        error.message = "the response ended after \(received) of \(expected) bytes"
        return error
    }

    /// Everything that tells one failure from another.
    func context(of hop: Hop) -> FailureContext {
        var context = hop.failureContext(
            url: redactedURL,
            usesProxy: plan.options.usesProxy(isSecure: endpoint.isSecure)
        )
        context.bytesSent = body?.sent ?? 0
        context.bytesReceived = hop.bodyBytes
        return context
    }

    func addMetrics(of hop: Hop) {
        let noted = notedFacts ?? driver.takeFacts()
        notedFacts = noted
        noted.facts.add(
            hop,
            over: driver.connections.facts(of: hop),
            submitted: plan.submitted,
            queueTime: queueTime,
            content: body?.smallBytes?.count ?? 0
        )
    }

    /// Becomes the transfer of the redirect's request.
    func follow(_ redirect: Redirect) throws(TransportError) {
        redirectCount += 1
        if redirect.keepsBody {
            guard body?.rewind() ?? true else { throw .bodyNotReplayable }
        } else {
            body?.stop()
            body = nil
        }
        request = redirect.request
        let previous = endpoint
        endpoint = try driver.endpoint(of: request)
        // Compared here too, because the delegate may have led elsewhere than the server did.
        if redirect.dropsCredentials || !endpoint.hasSameOrigin(as: previous) {
            sendsCredentials = false
        }
        try RequestChecks.check(request, body: body == nil ? .none : plan.body)
        trust = TrustState()
        parser = plan.options.makeParser()
        hasHeadMemory = false
        bytesSentToldOf = 0
    }

    /// The error for a time limit that has passed.
    func timeout(_ code: TransportError.Code) -> TransportError {
        let timeouts = options.timeouts
        let limit =
            switch code {
            case .connectTimeout: timeouts.connect
            case .firstByteTimeout: timeouts.firstByte
            case .idleTimeout: timeouts.idle
            default:
                [timeouts.total, plan.timeLimit.map { Duration.nanoseconds($0) }].compactMap(\.self)
                    .min()
            }
        let phase = hop.map { context(of: $0).phase } ?? .queued
        let named = code == .connectTimeout && phase == .tls ? .tlsTimeout : code
        var error = TransportError.timedOut(
            named,
            after: limit ?? .zero,
            phase: phase,
            url: redactedURL
        )
        error.bytesSent = body?.sent ?? 0
        error.bytesReceived = hop?.bodyBytes ?? 0
        return error
    }

    /// Whether bytes of the request's body have left since this was last asked.
    ///
    /// libcurl asks for them in large pieces, and the kernel takes more of those than it sends: a
    /// slow peer keeps both busy for long before the next piece is asked for.
    func hasMovedUnseen() -> Bool {
        guard let hop, body != nil, hop.sendingStarted != nil else { return false }
        let progress = UploadProgress(
            handedToKernel: hop.easy.handle.get(.sizeUpload) ?? 0,
            unsent: hop.easy.handle.activeSocket.map { SocketQueue.unsentBytes(of: $0) } ?? 0
        )
        defer { hop.uploadProgress = progress }
        return progress != hop.uploadProgress
    }
}
