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
                bufferSize: engine.receiveBufferSize(setup.options)
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
        } catch {
            throw Self.transportError(of: error)
        }
    }

    /// Why a handle couldn't be made ready.
    private static func transportError(of error: any Error) -> TransportError {
        switch error {
        case let failure as EasyOptionFailure:
            .configuration("libcurl refuses \(failure.option): \(failure.code)")
        case let invalid as InvalidOption:
            invalid.transportError
        default:
            .resourceExhausted("libcurl gives no handle: \(error)")
        }
    }

    /// A handle that connects and does nothing more.
    func easy(for channel: ByteChannel) throws(TransportError) -> EasyBox {
        do {
            let easy = try engine.makeEasy(loop: self)
            let isSecure = channel.endpoint.isSecure
            try easy.handle.apply(
                channel.plan.options,
                isSecure: isSecure,
                sendsCredentials: false
            )
            try limitLifetimes(of: easy)
            if isSecure {
                try engine.shareSessions(with: easy)
                if channel.trust.isLenient { try trustAnybody(easy) }
                if !channel.plan.offersHTTP { try easy.handle.set(.sslEnableALPN, false) }
            }
            try easy.handle.set(.httpVersion, EasyValue.HTTPVersion.http1_1)
            try easy.handle.set(.connectOnly, true)
            // No more than this is received at once.
            try easy.handle.set(.bufferSize, Self.channelMemorySize)
            // What the options may have set for requests would close it as soon as it is open.
            try easy.handle.set(.forbidReuse, false)
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
        try easy.handle.apply(
            setup.options,
            isSecure: setup.isSecure,
            sendsCredentials: setup.sendsCredentials,
            waitsForMultiplexing: setup.waitsForMultiplexing
        )
        try limitLifetimes(of: easy)
        guard setup.isSecure else { return }
        try engine.shareSessions(with: easy)
        if transfer.trust.isLenient { try trustAnybody(easy) }
        if transfer.trust.needsFreshConnection {
            try easy.handle.set(.freshConnect, true)
        }
    }

    private func limitLifetimes(of easy: EasyBox) throws(EasyOptionFailure) {
        let configuration = shared.configuration
        try easy.handle.set(.dnsCacheTimeout, configuration.dnsCacheLifetime.wholeSeconds)
        try easy.handle.set(
            .maxAgeOfConnection,
            configuration.idleConnectionLifetime.wholeSeconds
        )
        if let lifetime = configuration.connectionLifetime {
            try easy.handle.set(.maxLifetimeOfConnection, lifetime.wholeSeconds)
        }
    }

    /// Leaves it to the delegate to say whether the server is trusted.
    private func trustAnybody(_ easy: EasyBox) throws(EasyOptionFailure) {
        try easy.handle.set(.sslVerifyPeer, false)
        try easy.handle.set(.sslVerifyHost, 0)
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
