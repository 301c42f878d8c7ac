public import CurlTransport
public import Foundation
internal import Synchronization

// What neither Apple's configurations nor FoundationNetworking's have, and the engine does.

extension URLSessionConfiguration {
    /// How TLS connections are made: which certificates are trusted, the client's own certificate,
    /// versions, ciphers, pinned public keys. `import CurlTransport` names its type.
    ///
    /// ```swift
    /// configuration.tlsConfiguration.trustRoots = .file("/etc/company/ca.pem")
    /// configuration.tlsConfiguration.publicKeyPins = ["sha256//…"]
    /// ```
    ///
    /// It counts for servers. `evaluatesServerTrust` is set by the session, for delegates that
    /// answer challenges of server trust.
    public var tlsConfiguration: TLSConfiguration {
        get { state.withLock { $0.tls } }
        set { state.withLock { $0.tls = newValue } }
    }

    /// The HTTP version that requests are sent with; by default that is left to the engine.
    ///
    /// A request whose `assumesHTTP3Capable` is set asks for HTTP/3 where libcurl has it.
    public var httpVersion: HTTPVersionPolicy {
        get { state.withLock { $0.httpVersion } }
        set { state.withLock { $0.httpVersion = newValue } }
    }

    /// Whether the proxies that the process' environment names are used, where there is no
    /// ``connectionProxyDictionary``; `false` by default.
    ///
    /// The variables are `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`; see
    /// `ProxyPolicy.environment`. They are read when the session first needs them. One that is no
    /// proxy's address makes every task fail.
    public var usesEnvironmentProxies: Bool {
        get { state.withLock { $0.usesEnvironmentProxies } }
        set { state.withLock { $0.usesEnvironmentProxies = newValue } }
    }

    /// How many seconds it may take until a connection stands: looking up the name, TCP, the proxy,
    /// TLS. `nil`, the default: as long as the request's own limit.
    ///
    /// Fractions count. Zero, and what is no number, is no limit.
    public var timeoutIntervalForConnection: TimeInterval? {
        get { state.withLock { $0.timeoutIntervalForConnection } }
        set { state.withLock { $0.timeoutIntervalForConnection = newValue } }
    }

    /// Whether what has come of a download that fails is kept in the folder for temporary files, with
    /// resume data in the error by which another download goes on with it; `true` by default.
    ///
    /// The file stays until that download takes it over. A program that never resumes downloads sets
    /// `false` here, and nothing is left.
    public var keepsFailedDownloads: Bool {
        get { state.withLock { $0.keepsFailedDownloads } }
        set { state.withLock { $0.keepsFailedDownloads = newValue } }
    }

    /// Whether upload tasks that send bytes or files say that they can be gone on with; `true` by default,
    /// as with Apple's systems since 2023.
    ///
    /// They do so by two header fields (`Upload-Complete` and `Upload-Draft-Interop-Version`, of
    /// draft-ietf-httpbis-resumable-upload-05), which other servers pass over. What it is good for says
    /// ``URLSession/uploadTask(withResumeData:)``. Requests that have such fields already are sent as
    /// they are.
    public var allowsResumableUploads: Bool {
        get { state.withLock { $0.allowsResumableUploads } }
        set { state.withLock { $0.allowsResumableUploads = newValue } }
    }

    /// How far compressed content may expand that is collected in memory, for a completion handler or
    /// an asynchronous method; by default to 64 MiB in any case, and beyond that to 100 times what the
    /// server sent. `nil` for as far as it likes.
    ///
    /// A task whose content expands further fails with `URLError.dataLengthExceedsMaximum`. Content
    /// that is told to a delegate piece by piece, read as it comes or written to a file isn't limited:
    /// it takes no memory.
    public var expansionLimit: ExpansionLimit? {
        get { state.withLock { $0.expansionLimit } }
        set { state.withLock { $0.expansionLimit = newValue } }
    }
}
