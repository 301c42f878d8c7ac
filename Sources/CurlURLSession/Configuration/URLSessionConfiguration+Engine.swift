public import CurlTransport
public import Foundation
internal import Synchronization

// Properties that neither Apple's configurations nor FoundationNetworking's have.

extension URLSessionConfiguration {
    /// The TLS options: trusted certificates, client certificate, versions, ciphers, public key
    /// pins.
    ///
    /// Import `CurlTransport` to name its type.
    ///
    /// ```swift
    /// configuration.tlsConfiguration.trustRoots = .file("/etc/company/ca.pem")
    /// configuration.tlsConfiguration.publicKeyPins = ["sha256//…"]
    /// ```
    ///
    /// The options apply to servers. The session sets `evaluatesServerTrust` and
    /// `failsOnCertificateRequest` itself: with a delegate, servers' certificates and requests for a
    /// client certificate become challenges.
    public var tlsConfiguration: TLSConfiguration {
        get { state.withLock { $0.tls } }
        set { state.withLock { $0.tls = newValue } }
    }

    /// The HTTP version of requests; by default libcurl chooses it.
    ///
    /// A request whose `assumesHTTP3Capable` is set asks for HTTP/3 if libcurl supports it.
    public var httpVersion: HTTPVersionPolicy {
        get { state.withLock { $0.httpVersion } }
        set { state.withLock { $0.httpVersion = newValue } }
    }

    /// Whether the proxies in the environment are used; `false` by default.
    ///
    /// A ``connectionProxyDictionary`` takes precedence. The variables are `http_proxy`,
    /// `https_proxy`, `all_proxy` and `no_proxy`; see `ProxyPolicy.environment`. The session reads
    /// them when it first needs them. An invalid proxy address makes every task fail.
    public var usesEnvironmentProxies: Bool {
        get { state.withLock { $0.usesEnvironmentProxies } }
        set { state.withLock { $0.usesEnvironmentProxies = newValue } }
    }

    /// The connect timeout, in seconds; by default `nil`, the request's own timeout.
    ///
    /// It covers name resolution, TCP, the proxy and TLS. Fractions count. A value that isn't a
    /// positive number means no timeout.
    public var timeoutIntervalForConnection: TimeInterval? {
        get { state.withLock { $0.timeouts.connection } }
        set { state.withLock { $0.timeouts.connection = newValue } }
    }

    /// The timeout for waiting for a connection, in seconds; `nil` by default.
    ///
    /// Requests beyond ``httpMaximumConnectionsPerHost`` wait. If the timeout expires, the task
    /// fails with `URLError.timedOut`, and nothing has been sent. Fractions count. `nil`, and a
    /// value that isn't a positive number, mean no timeout.
    public var timeoutIntervalInQueue: TimeInterval? {
        get { state.withLock { $0.timeouts.queue } }
        set { state.withLock { $0.timeouts.queue = newValue } }
    }

    /// The most requests that may wait for a connection; `nil` by default.
    ///
    /// `nil` means no limit. A task whose request exceeds the limit fails at once with
    /// `URLError.resourceUnavailable`. With 0, no request waits. A negative number makes every task
    /// fail.
    public var maximumQueuedTransfers: Int? {
        get { state.withLock { $0.maximumQueuedTransfers } }
        set { state.withLock { $0.maximumQueuedTransfers = newValue } }
    }

    /// Whether failed downloads keep their partial file; `true` by default.
    ///
    /// The file is in the directory for temporary files. The error has resume data, with which
    /// another download resumes it. The file stays until that download takes it over. If a program
    /// never resumes downloads, set `false`, and no files are left.
    public var keepsFailedDownloads: Bool {
        get { state.withLock { $0.keepsFailedDownloads } }
        set { state.withLock { $0.keepsFailedDownloads = newValue } }
    }

    /// Whether uploads announce that they are resumable; `true` by default.
    ///
    /// This applies to upload tasks that send bytes or files. The default is that of Apple's
    /// systems since 2023. The announcement consists of two header fields (`Upload-Complete` and
    /// `Upload-Draft-Interop-Version`, of draft-ietf-httpbis-resumable-upload-05), which other
    /// servers ignore. ``URLSession/uploadTask(withResumeData:)`` describes its use. A request that
    /// already has such fields is sent unchanged.
    public var allowsResumableUploads: Bool {
        get { state.withLock { $0.allowsResumableUploads } }
        set { state.withLock { $0.allowsResumableUploads = newValue } }
    }

    /// Whether a `POST` without a `Content-Type` is sent as a form; `true` by default.
    ///
    /// This applies to requests whose body is a stream, or the bytes in their `httpBody`. They get
    /// `Content-Type: application/x-www-form-urlencoded`, as from FoundationNetworking. A value in
    /// the request or in ``httpAdditionalHeaders`` takes precedence. Other methods, empty bodies,
    /// and the data and files of upload tasks get none. The task's `currentRequest` doesn't have
    /// the field.
    public var addsFormContentType: Bool {
        get { state.withLock { $0.addsFormContentType } }
        set { state.withLock { $0.addsFormContentType = newValue } }
    }

    /// The decompression limit for bodies collected in memory; `nil` for no limit.
    ///
    /// Bodies are collected for completion handlers and asynchronous methods. By default a body may
    /// always expand to 64 MiB, and beyond that to 100 times what the server sent. A task whose
    /// body expands further fails with `URLError.dataLengthExceedsMaximum`. A body that is
    /// delivered to a delegate in pieces, read as it arrives or written to a file isn't limited: it
    /// takes no memory.
    public var decompressionLimit: DecompressionLimit? {
        get { state.withLock { $0.decompressionLimit } }
        set { state.withLock { $0.decompressionLimit = newValue } }
    }

    /// The observers of the session's transfers, for metrics and logs; by default none.
    ///
    /// They are notified of the end of each transfer, failures included. Each request that the
    /// session sends to a server has a transfer: a task with a redirect, a challenge or a retry has
    /// several, and one that is answered from the cache has none. They are notified on a loop
    /// thread, in their order, before the task knows the end, and must not block. Observers aren't
    /// notified of redirects, which the session follows itself, nor of the connections of
    /// WebSocket and stream tasks.
    public var transferObservers: [any TransferObserver] {
        get { state.withLock { $0.transferObservers } }
        set { state.withLock { $0.transferObservers = newValue } }
    }
}
