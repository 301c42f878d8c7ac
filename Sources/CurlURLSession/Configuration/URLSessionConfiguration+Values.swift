internal import CurlTransport
internal import Synchronization

// The transport's options as plain values, for code that stores them without its types.

extension URLSessionConfiguration {
    /// The number of the maximum TLS version; `nil` for the newest supported one.
    package var tlsMaximumVersionNumber: UInt16? {
        get { tlsConfiguration.maximumVersion.map { tls_protocol_version_t($0).rawValue } }
        set {
            let version = newValue.flatMap { tls_protocol_version_t(rawValue: $0) }
            state.withLock { $0.tls.maximumVersion = version?.engineVersion }
        }
    }

    /// The value of `httpShouldUsePipelining`, which is deprecated.
    package var pipelinesRequests: Bool {
        get { state.withLock { $0.unused.httpShouldUsePipelining } }
        set { state.withLock { $0.unused.httpShouldUsePipelining = newValue } }
    }

    /// The name of the HTTP version. An unknown name means `automatic`.
    package var httpVersionName: String {
        get { httpVersion.name }
        set {
            let all: [HTTPVersionPolicy] = [.http1, .http2, .http2PriorKnowledge, .http3]
            httpVersion = all.first { $0.name == newValue } ?? .automatic
        }
    }

    /// The decompression limit; `nil` for none. It consists of a number of bytes that is always
    /// allowed, and a multiple of what was sent.
    package var decompressionLimits: (bytes: Int64, ratio: Int64)? {
        get { decompressionLimit.map { ($0.bytes, $0.ratio) } }
        set {
            decompressionLimit = newValue.map {
                DecompressionLimit(bytes: $0.bytes, ratio: $0.ratio)
            }
        }
    }
}

extension HTTPVersionPolicy {
    fileprivate var name: String {
        switch self {
        case .automatic: "automatic"
        case .http1: "http1"
        case .http2: "http2"
        case .http2PriorKnowledge: "http2PriorKnowledge"
        case .http3: "http3"
        }
    }
}
