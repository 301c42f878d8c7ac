internal import Curl
internal import HTTPTypes

// Easy handles for hops: new ones, or those that served before.

extension Driver {
    func easy(for transfer: Transfer) throws(TransportError) -> EasyBox {
        let setup = setup(for: transfer)
        do {
            let isPlain = transfer.isPlain
            let easy: EasyBox
            if isPlain, let spare = engine.reuseEasy(setup) {
                easy = spare
            } else {
                easy = try engine.makeEasy(loop: self)
                try configure(easy, setup, for: transfer)
                easy.setup = isPlain ? setup : nil
            }
            easy.receive(
                bufferSize: engine.receiveBufferSize(
                    decodesContent: transfer.options.decodesContent
                )
            )
            easy.handle.attach(transfer, token: transfer.id.rawValue)
            if isPlain {
                try easy.lead(to: transfer.endpoint)
                try easy.handle.apply(
                    path: transfer.request.path ?? "/",
                    transfer.request.headerFields,
                    options: setup.options
                )
            } else {
                try easy.handle.apply(
                    transfer.request,
                    to: transfer.endpoint,
                    body: transfer.body,
                    options: setup.options,
                    sendsCredentials: setup.sendsCredentials
                )
            }
            return easy
        } catch let failure as EasyOptionFailure {
            throw .configuration("libcurl refuses \(failure.option): \(failure.code)")
        } catch let invalid as InvalidOption {
            throw invalid.transportError
        } catch {
            throw .resourceExhausted("libcurl gives no handle: \(error)")
        }
    }

    private func setup(for transfer: Transfer) -> EasySetup {
        let options = transfer.plan.options
        let isSecure = transfer.endpoint.isSecure
        var waits = false
        if isSecure, options.offersHTTP2, let origin = transfer.origin {
            // Rather wait for a connection that may carry this transfer too than open another.
            waits = scheduler.knownVersion(of: origin) != .http1
        }
        return EasySetup(
            options: options,
            isSecure: isSecure,
            sendsCredentials: transfer.sendsCredentials,
            waitsForMultiplexing: waits
        )
    }

    private func configure(
        _ easy: EasyBox,
        _ setup: EasySetup,
        for transfer: Transfer
    ) throws {
        let configuration = shared.configuration
        try easy.handle.apply(
            setup.options,
            isSecure: setup.isSecure,
            sendsCredentials: setup.sendsCredentials,
            waitsForMultiplexing: setup.waitsForMultiplexing
        )
        try easy.handle.set(.dnsCacheTimeout, configuration.dnsCacheLifetime.wholeSeconds)
        try easy.handle.set(
            .maxAgeOfConnection,
            configuration.idleConnectionLifetime.wholeSeconds
        )
        if let lifetime = configuration.connectionLifetime {
            try easy.handle.set(.maxLifetimeOfConnection, lifetime.wholeSeconds)
        }
        guard setup.isSecure else { return }
        try engine.shareSessions(with: easy)
        if transfer.trust.isLenient {
            try easy.handle.set(.sslVerifyPeer, false)
            try easy.handle.set(.sslVerifyHost, 0)
        }
        if transfer.trust.needsFreshConnection {
            try easy.handle.set(.freshConnect, true)
        }
    }
}

extension Transfer {
    /// Whether the present hop sets nothing on its handle but endpoint, path and fields, over what
    /// its options say, so that the next one may use the handle.
    fileprivate var isPlain: Bool {
        body == nil && request.method == .get && plan.options.allowsPlainHandles
            && !endpoint.hasZone && (request.path ?? "/").isRequestTarget
    }

    /// Whether the present hop has a connection to itself, which its scheduler counts. Those to a
    /// proxy serve several origins.
    var choosesConnection: Bool {
        guard plan.options.options.reusesConnection,
            plan.options.options.httpVersion != .http2PriorKnowledge,
            !plan.options.usesProxy(isSecure: endpoint.isSecure), !trust.needsFreshConnection
        else { return false }
        guard endpoint.isSecure, plan.options.offersHTTP2, let origin else { return true }
        return driver.scheduler.knownVersion(of: origin) == .http1
    }
}

extension String {
    /// Whether libcurl would send this path as it stands: it percent-encodes what isn't ASCII, and
    /// drops a fragment.
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
