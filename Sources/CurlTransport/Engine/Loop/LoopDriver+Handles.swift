internal import Curl
internal import HTTPTypes
internal import Posix

// Easy handles for attempts: new or reused.

extension LoopDriver {
    func easy(for transfer: Transfer) throws(TransportError) -> PooledEasyHandle {
        let setup = setup(for: transfer)
        do {
            let isPlain = transfer.isPlain
            let easy: PooledEasyHandle
            if isPlain, let pooled = handlePool.reuseEasy(setup) {
                easy = pooled
            } else {
                easy = try handlePool.makeEasy(loop: self)
                try configure(easy, setup, for: transfer)
                easy.setup = isPlain ? setup : nil
            }
            easy.receive(
                bufferSize: handlePool.receiveBufferSize(setup.options)
            )
            try handlePool.shareCache(
                for: setup.options.cachePlace(of: transfer.endpoint),
                lifetime: scheduler.lookupLifetime,
                with: easy
            )
            try easy.closeConnection(!setup.options.options.reusesConnection)
            easy.handle.attach(transfer, token: transfer.id.rawValue)
            if streamEnds.areWatched && transfer.mayUseHTTP2 || tracesHTTP3(of: transfer) {
                try easy.handle.set(.verbose, true)
            }
            if watchesStreamLimit(of: transfer) {
                // The next transfer may need no reports.
                easy.setup = nil
                try easy.handle.set(.verbose, true)
            }
            if isPlain {
                try easy.setEndpoint(transfer.endpoint)
                try easy.handle.apply(
                    path: transfer.request.path ?? "/",
                    transfer.request.headerFields,
                    options: setup.options
                )
            } else {
                var request = transfer.request
                if setup.sendsCredentials,
                    let provider = try setup.options.signatureProvider(for: transfer.endpoint)
                {
                    try easy.handle.set(.awsSigV4, provider.text)
                    request.prepareSignature(
                        by: provider,
                        isSecure: setup.isSecure,
                        body: transfer.body
                    )
                }
                try easy.handle.apply(
                    request,
                    to: transfer.endpoint,
                    body: transfer.body,
                    options: setup.options,
                    sendsCredentials: setup.sendsCredentials
                )
            }
            return easy
        } catch {
            throw Self.transportError(of: error)
        }
    }

    /// The error for a handle that couldn't be prepared.
    private static func transportError(of error: any Error) -> TransportError {
        switch error {
        case let failure as TransportError:
            failure
        case let failure as EasyOptionFailure:
            .configuration("libcurl refuses \(failure.option): \(failure.code)")
        case let invalid as InvalidOption:
            invalid.transportError
        default:
            .resourceExhausted("libcurl can't create a handle: \(error)")
        }
    }

    /// A handle that only connects.
    func easy(for channel: ByteChannel) throws(TransportError) -> PooledEasyHandle {
        do {
            let easy = try handlePool.makeEasy(loop: self)
            let isSecure = channel.endpoint.isSecure
            try easy.handle.apply(
                channel.plan.options,
                isSecure: isSecure,
                sendsCredentials: false
            )
            if let files = channel.plan.options.files(
                isSecure: isSecure,
                at: now,
                opensConnection: true
            ) {
                try easy.handle.set(files.settings)
            }
            try limitLifetimes(of: easy)
            try handlePool.shareCache(
                for: channel.plan.options.cachePlace(of: channel.endpoint),
                lifetime: scheduler.lookupLifetime,
                with: easy
            )
            if isSecure {
                if channel.trust.isLenient { try disableVerification(easy) }
                if channel.options.tls.evaluatesServerTrust { try presentCertificates(easy) }
                if !channel.plan.offersHTTP { try easy.handle.set(.sslEnableALPN, false) }
            }
            try easy.handle.set(.httpVersion, EasyValue.HTTPVersion.http1_1)
            try easy.handle.set(.connectOnly, true)
            // The maximum number of bytes received at once.
            try easy.handle.set(.bufferSize, LoopBuffers.receivedSize)
            // Options that were set for requests could close the connection as soon as it is open.
            try easy.handle.set(.forbidReuse, false)
            if !channel.plan.options.addressScope.isAny { try easy.handle.set(.freshConnect, true) }
            if channel.plan.options.usesProxy(isSecure: isSecure) {
                try easy.handle.set(.httpProxyTunnel, true)
            }
            easy.handle.attach(channel, token: channel.id.rawValue)
            try easy.handle.set(.url, channel.endpoint.origin + "/")
            return easy
        } catch {
            throw Self.transportError(of: error)
        }
    }

    private func setup(for transfer: Transfer) -> EasySetup {
        let options = transfer.plan.options
        let isSecure = transfer.endpoint.isSecure
        transfer.usesAltSvc = usesAltSvc(for: transfer)
        var waits = transfer.usesAltSvc
        if !waits, isSecure, options.offersHTTP2, let origin = transfer.origin {
            // Waiting for a connection that this transfer can share is better than opening another
            // one.
            waits = scheduler.knownVersion(of: origin) != .http1
        }
        return EasySetup(
            options: options,
            isSecure: isSecure,
            sendsCredentials: transfer.sendsCredentials,
            waitsForMultiplexing: waits,
            usesAltSvc: transfer.usesAltSvc,
            files: options.files(
                isSecure: isSecure,
                at: now,
                opensConnection: transfer.opensConnection
            )
        )
    }

    private func configure(
        _ easy: PooledEasyHandle,
        _ setup: EasySetup,
        for transfer: Transfer
    ) throws {
        try easy.handle.apply(
            setup.options,
            isSecure: setup.isSecure,
            sendsCredentials: setup.sendsCredentials,
            waitsForMultiplexing: setup.waitsForMultiplexing
        )
        if setup.usesAltSvc { try easy.handle.set(.httpVersion, EasyValue.HTTPVersion.http3) }
        if let files = setup.files { try easy.handle.set(files.settings) }
        try limitLifetimes(of: easy)
        if transfer.asksForRefusals { try easy.handle.set(.verbose, true) }
        guard setup.isSecure else { return }
        if transfer.trust.isLenient { try disableVerification(easy) }
        if transfer.options.tls.evaluatesServerTrust {
            try presentCertificates(easy, isKnownMissing: transfer.trust.needsFreshConnection)
        }
        if transfer.trust.needsFreshConnection {
            try easy.handle.set(.freshConnect, true)
        }
        // A resumed session requests no certificate.
        if transfer.asksForIdentity, trustCache.requestsCertificate(transfer.trustOrigin) {
            try easy.handle.set(.sslSessionIDCache, false)
        }
    }

    private func limitLifetimes(of easy: PooledEasyHandle) throws(EasyOptionFailure) {
        let configuration = shared.configuration
        try easy.handle.set(
            .maxAgeOfConnection,
            configuration.idleConnectionLifetime.wholeSeconds
        )
        if let lifetime = configuration.connectionLifetime {
            try easy.handle.set(.maxLifetimeOfConnection, lifetime.wholeSeconds)
        }
    }

    /// Makes libcurl close the attempt's connection at its end if there are enough idle ones.
    func limitIdleConnections(after attempt: TransferAttempt) {
        // libcurl would close the oldest one. For that, it walks through all connections after each
        // transfer, and before 8.10 through the hosts of all connections that it has closed so.
        guard sockets.idleCount >= shared.configuration.maximumIdleConnections else { return }
        closeConnection(after: attempt)
    }

    /// Makes libcurl close the connection of a transfer whose caller doesn't need it afterwards.
    ///
    /// Not after a redirect within the origin, which the transfer or its caller may follow.
    func closeUnneededConnection(of transfer: Transfer, after head: ResponseHead) {
        guard !transfer.plan.keepsConnection, let attempt = transfer.attempt else { return }
        let outcome = RedirectRule.decide(
            on: head,
            request: transfer.request,
            count: 0,
            policy: .follow()
        )
        if case .follow(let redirect) = outcome, !redirect.dropsCredentials { return }
        closeConnection(after: attempt)
    }

    /// Makes libcurl close the attempt's connection at its end, unless another transfer uses it.
    func closeConnection(after attempt: TransferAttempt) {
        // libcurl accepts this option for every handle, also inside of its callbacks.
        try? attempt.easy.closeConnection(true)
    }

    /// Forces a full TLS handshake, if resumed sessions would provide no certificates.
    ///
    /// The delegate then sees the server's current certificates. libcurl 8.10 and later store TLS
    /// sessions without certificates.
    private func presentCertificates(
        _ easy: PooledEasyHandle,
        isKnownMissing: Bool = false
    ) throws(EasyOptionFailure) {
        guard isKnownMissing || CurlVersion.current.isAtLeast(8, 10) else { return }
        try easy.handle.set(.sslSessionIDCache, false)
    }

    /// Disables verification, so that the delegate decides whether to trust the server.
    private func disableVerification(_ easy: PooledEasyHandle) throws(EasyOptionFailure) {
        try easy.handle.set(.sslVerifyPeer, false)
        try easy.handle.set(.sslVerifyHost, 0)
    }
}

extension Transfer {
    /// Whether the current attempt's handle can be reused by the next transfer.
    ///
    /// This is so if the attempt sets only endpoint, path and fields, in addition to its options.
    fileprivate var isPlain: Bool {
        body == nil && request.method == .get && plan.options.allowsPlainHandles
            && !endpoint.hasZone && (request.path ?? "/").isRequestTarget
    }

    /// Whether the current attempt may share a connection as an HTTP/2 stream.
    var mayUseHTTP2: Bool {
        switch options.httpVersion {
        case .http1: false
        case .automatic, .http2, .http3: endpoint.isSecure && plan.options.offersHTTP2
        case .http2PriorKnowledge: true
        }
    }

    /// Whether the current attempt may be an HTTP/3 stream.
    var mayUseHTTP3: Bool {
        endpoint.isSecure && (options.httpVersion == .http3 || usesAltSvc)
    }

    /// Whether the current attempt certainly opens a connection.
    fileprivate var opensConnection: Bool {
        !mayReuseConnection || !options.reusesConnection || trust.needsFreshConnection
    }

    /// Whether the current attempt has a connection of its own, which the scheduler counts.
    ///
    /// Connections to a proxy serve several origins.
    var choosesConnection: Bool {
        guard plan.options.options.reusesConnection,
            plan.options.options.httpVersion != .http2PriorKnowledge,
            !plan.options.usesProxy(isSecure: endpoint.isSecure), !trust.needsFreshConnection,
            !usesAltSvc
        else { return false }
        guard endpoint.isSecure, plan.options.offersHTTP2, let origin else { return true }
        return driver.scheduler.knownVersion(of: origin) == .http1
    }
}

extension String {
    /// Whether libcurl would send this path unchanged. It percent-encodes bytes that aren't ASCII,
    /// and removes a fragment.
    fileprivate var isRequestTarget: Bool {
        let bytes = utf8.span
        guard !bytes.isEmpty, bytes[0] == UInt8(ascii: "/") else { return false }
        for index in bytes.indices {
            let byte = bytes[index]
            if byte <= 0x20 || byte >= 0x7F || byte == UInt8(ascii: "#") { return false }
        }
        return true
    }
}
