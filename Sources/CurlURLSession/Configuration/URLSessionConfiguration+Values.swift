internal import CurlTransport
internal import Synchronization

// What the engine is set to, as plain values, to be written down by those who don't know its types.

extension URLSessionConfiguration {
    /// The newest version of TLS, by its number; `nil` for the newest that there is.
    package var tlsMaximumVersionNumber: UInt16? {
        get { tlsConfiguration.maximumVersion.map { tls_protocol_version_t($0).rawValue } }
        set {
            let version = newValue.flatMap { tls_protocol_version_t(rawValue: $0) }
            state.withLock { $0.tls.maximumVersion = version?.engineVersion }
        }
    }

    /// The version of HTTP, by its name. A name that isn't known is none.
    package var httpVersionName: String {
        get { httpVersion.name }
        set {
            let all: [HTTPVersionPolicy] = [.http1, .http2, .http2PriorKnowledge, .http3]
            httpVersion = all.first { $0.name == newValue } ?? .automatic
        }
    }

    /// How many bytes content may expand to in any case, and how many times what was sent; `nil` for as
    /// far as it likes.
    package var expansionLimits: (bytes: Int64, ratio: Int64)? {
        get { expansionLimit.map { ($0.bytes, $0.ratio) } }
        set { expansionLimit = newValue.map { ExpansionLimit(bytes: $0.bytes, ratio: $0.ratio) } }
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
