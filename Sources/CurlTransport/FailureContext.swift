/// What is known of a transfer at its failure, gathered from libcurl's infos. Values only.
package struct FailureContext: Sendable, Hashable {
    /// `http` or `https`.
    package var scheme: String
    /// The URL; user info, query and fragment are taken out here if they are still there.
    package var url: String?
    /// The address and port of the other end, such as `127.0.0.1:80`.
    package var peer: String?
    /// Whether the connection goes through a proxy.
    package var usesProxy = false

    // How far it came, each true if libcurl gives a time for it.
    package var isNameLookupDone = false
    package var isConnectDone = false
    package var isAppConnectDone = false
    package var isPreTransferDone = false
    /// Whether the whole request was handed over, once a connection stood.
    package var isRequestSent = true
    /// Whether the final response head was received whole.
    package var headReceived = false
    package var isConnectionReused = false

    /// `CURLINFO_OS_ERRNO`; zero for none. Only believed for the codes that it belongs to, since
    /// it may be left over from an address that was tried before.
    package var systemErrno: Int32 = 0
    /// `CURLINFO_SSL_VERIFYRESULT`; zero for none.
    package var verifyResult = 0
    /// `CURLINFO_PROXY_ERROR`; zero for none.
    package var proxyError = 0
    /// `CURLINFO_HTTP_CONNECTCODE`, the proxy's answer to CONNECT; zero for none.
    package var connectCode = 0
    /// What libcurl wrote into `CURLOPT_ERRORBUFFER`; empty for nothing.
    package var errorBuffer = ""

    package var bytesSent: Int64 = 0
    package var bytesReceived: Int64 = 0

    package init(scheme: String, url: String? = nil) {
        self.scheme = scheme
        self.url = url
    }
}

extension FailureContext {
    /// Whether a connection stood. A re-used one has no times of its own in some versions.
    var isConnected: Bool {
        isConnectDone || isSecured || (isConnectionReused && isNameLookupDone)
    }

    private var isSecured: Bool { isAppConnectDone || isPreTransferDone || headReceived }

    /// How far the transfer had come.
    var phase: TransportError.Phase {
        if headReceived { return .receiving }
        if isPreTransferDone { return isRequestSent ? .waiting : .sending }
        guard isConnected else {
            return isNameLookupDone ? .tcp : .dns
        }
        guard !isConnectionReused else { return .sending }
        if usesProxy, scheme == "https", connectCode == 0 { return .proxy }
        return scheme == "https" && !isAppConnectDone ? .tls : .sending
    }

    /// Whether libcurl's words have these in them, in whatever case.
    func says(_ words: String) -> Bool {
        errorBuffer.lowercased().contains(words)
    }
}
