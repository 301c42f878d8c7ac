/// The facts about a failed transfer, taken from libcurl's infos. Values only.
package struct FailureContext: Sendable, Hashable {
    /// `http` or `https`.
    package var scheme: String
    /// The URL. The error's initializer removes user info, query and fragment.
    package var url: String?
    /// The peer's address and port, such as `127.0.0.1:80`.
    package var peer: String?
    /// Whether the connection goes through a proxy.
    package var usesProxy = false
    /// Whether the transfer has no client certificate for the server.
    package var lacksIdentity = false

    // The stages that the transfer completed. Each is true if libcurl reports a time for it.
    package var isNameLookupDone = false
    package var isConnectDone = false
    package var isAppConnectDone = false
    package var isPreTransferDone = false
    /// Whether libcurl was given the whole request after the connection was established.
    package var isRequestSent = true
    /// Whether the final response head was received completely.
    package var headReceived = false
    package var isConnectionReused = false

    /// `CURLINFO_OS_ERRNO`; zero for none.
    ///
    /// It is used only for the codes that it belongs to, because it may be left over from an
    /// address that libcurl tried before.
    package var systemErrno: Int32 = 0
    /// `CURLINFO_SSL_VERIFYRESULT`; zero for none.
    package var verifyResult = 0
    /// `CURLINFO_PROXY_ERROR`; zero for none.
    package var proxyError = 0
    /// `CURLINFO_HTTP_CONNECTCODE`, the status of the proxy's response to CONNECT; zero for none.
    package var connectCode = 0
    /// The text that libcurl wrote into `CURLOPT_ERRORBUFFER`; empty for none.
    package var errorBuffer = ""

    package var bytesSent: Int64 = 0
    package var bytesReceived: Int64 = 0

    package init(scheme: String, url: String? = nil) {
        self.scheme = scheme
        self.url = url
    }
}

extension FailureContext {
    /// Whether a connection was established.
    ///
    /// Some libcurl versions report no times for a reused connection.
    var isConnected: Bool {
        isConnectDone || isSecured || (isConnectionReused && isNameLookupDone)
    }

    private var isSecured: Bool { isAppConnectDone || isPreTransferDone || headReceived }

    /// The peer of an established connection; nil before.
    ///
    /// Until then, libcurl may still report the peer of the handle's previous transfer.
    var connectedPeer: String? { isConnected ? peer : nil }

    /// The phase that the transfer had reached.
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

    /// Whether libcurl's error text contains `words`, in any letter case.
    func errorContains(_ words: String) -> Bool {
        errorBuffer.lowercased().contains(words)
    }
}
