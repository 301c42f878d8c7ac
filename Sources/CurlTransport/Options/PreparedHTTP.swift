internal import ContentCoding
internal import Curl

/// Checked limits and HTTP options as settings for libcurl.
struct PreparedHTTP {
    /// For both schemes.
    private(set) var settings: [EasySetting] = []

    /// For `https` only.
    private(set) var secure: [EasySetting] = []

    /// For `http` only.
    private(set) var clear: [EasySetting] = []

    init(_ options: TransferOptions) throws(InvalidOption) {
        try limitTime(options)
        try limitSize(options)
        try chooseVersion(options.httpVersion)
        if options.isSignedForAWS, options.requestsCodings {
            // libcurl sends the field outside of the signed ones, and doesn't decode.
            settings.append(.text(.acceptEncoding, ContentCoding.accepted))
            settings.append(.flag(.contentDecoding, false))
        }
        if let userAgent = options.sentUserAgent {
            try OptionCheck.filledText(userAgent, "userAgent")
            if !options.listsOwnFields { settings.append(.text(.userAgent, userAgent)) }
        }
        if options.isVerbose { settings.append(.flag(.verbose, true)) }
    }

    /// The event loop enforces the timeouts.
    ///
    /// libcurl's own come 5 seconds later. They end transfers that a defective loop would leave
    /// behind.
    private mutating func limitTime(_ options: TransferOptions) throws(InvalidOption) {
        let limits = options.timeouts
        let margin = 5000
        // libcurl's default, 300 seconds, can't be disabled, so it is set to the maximum.
        var connect = Int(Int32.max)
        if let limit = limits.connect {
            let value = try OptionCheck.milliseconds(limit, "timeouts.connect")
            connect = min(value, Int(Int32.max) - margin) + margin
        }
        if connect > 300_000 {
            settings.append(.number(.connectTimeoutMilliseconds, connect))
        }
        if let limit = limits.queue { _ = try OptionCheck.milliseconds(limit, "timeouts.queue") }
        if let limit = limits.idle { _ = try OptionCheck.milliseconds(limit, "timeouts.idle") }
        if let limit = limits.firstByte {
            _ = try OptionCheck.milliseconds(limit, "timeouts.firstByte")
        }
        if let limit = limits.total {
            let value = try OptionCheck.milliseconds(limit, "timeouts.total")
            let total = min(value, Int(Int32.max) - margin) + margin
            settings.append(.number(.timeoutMilliseconds, total))
        }
        if let wait = options.expectContinue {
            let value = try OptionCheck.milliseconds(wait, "expectContinue")
            settings.append(.number(.expect100TimeoutMilliseconds, value))
        }
    }

    private mutating func limitSize(_ options: TransferOptions) throws(InvalidOption) {
        let heads = options.responseHeadLimits
        if let limit = options.decompressionLimit {
            guard limit.bytes >= 0 else {
                throw InvalidOption("decompressionLimit.bytes", "is \(limit.bytes); give 0 or more")
            }
            guard limit.ratio >= 1 else {
                throw InvalidOption("decompressionLimit.ratio", "is \(limit.ratio); give 1 or more")
            }
        }
        for (option, limit) in [
            ("redirects.limit", options.redirects.limit),
            ("responseHeadLimits.maximumFieldCount", heads.maximumFieldCount),
            ("responseHeadLimits.maximumBytes", heads.maximumBytes),
        ] {
            guard limit >= 0 else {
                throw InvalidOption(option, "is \(limit); give 0 or more")
            }
        }
        // The handle gets this value when a transfer starts.
        if let size = options.receiveBufferSize, !(1024...524_288).contains(size) {
            throw InvalidOption(
                "receiveBufferSize",
                "is \(size); give 1,024 to 524,288 bytes, or nil for the usual ones"
            )
        }
        if let speed = options.maximumReceiveSpeed {
            try OptionCheck.speed(speed, "maximumReceiveSpeed")
            settings.append(.amount(.maxReceiveSpeed, speed))
        }
        if let speed = options.maximumSendSpeed {
            try OptionCheck.speed(speed, "maximumSendSpeed")
            settings.append(.amount(.maxSendSpeed, speed))
        }
    }

    /// Without TLS, HTTP/1.1 is used except with prior knowledge of HTTP/2.
    private mutating func chooseVersion(_ policy: HTTPVersionPolicy) throws(InvalidOption) {
        typealias Version = EasyValue.HTTPVersion
        let current = CurlVersion.current
        // With its default, libcurl would search the host's connections for one that can multiplex,
        // for each transfer. Without TLS, only prior knowledge makes it multiplex.
        clear = [.number(.httpVersion, Version.http1_1)]
        switch policy {
        case .automatic:
            let offersHTTP2 = HTTPVersionPolicy.offersHTTP2ByDefault
            secure = [.number(.httpVersion, offersHTTP2 ? Version.http2OverTLS : Version.http1_1)]
        case .http1:
            secure = [.number(.httpVersion, Version.http1_1)]
        case .http2, .http2PriorKnowledge:
            guard current.supportsHTTP2 else {
                throw InvalidOption("httpVersion", missing: "HTTP/2")
            }
            guard policy == .http2PriorKnowledge else {
                secure = [.number(.httpVersion, Version.http2OverTLS)]
                return
            }
            secure = [.number(.httpVersion, Version.http2PriorKnowledge)]
            clear = secure
            // libcurl before 8.0 fails on the second request of such a connection.
            if !current.isAtLeast(8, 0) {
                clear += [.flag(.freshConnect, true), .flag(.forbidReuse, true)]
            }
        case .http3:
            guard current.supportsHTTP3 else {
                throw InvalidOption("httpVersion", missing: "HTTP/3")
            }
            secure = [.number(.httpVersion, Version.http3)]
        }
    }
}
