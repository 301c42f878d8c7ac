internal import Curl

extension Hop {
    /// What libcurl knows of the hop, as far as it tells one failure from another.
    func failureContext(url: String, usesProxy: Bool) -> FailureContext {
        var context = FailureContext(scheme: endpoint.scheme, url: url)
        func isReached(_ time: Int64?) -> Bool { time.map { $0 > 0 } ?? false }
        context.usesProxy = usesProxy
        context.isNameLookupDone = isReached(easy.handle.get(.nameLookupTime))
        context.isConnectDone = isReached(easy.handle.get(.connectTime))
        context.isAppConnectDone = isReached(easy.handle.get(.appConnectTime))
        context.isPreTransferDone = isReached(easy.handle.get(.preTransferTime))
        context.isRequestSent = hasSentRequest
        context.headReceived = hasHead
        context.isConnectionReused = easy.handle.get(.numConnects) == 0 && sendingStarted != nil
        context.systemErrno = Int32(clamping: easy.handle.get(.osErrno) ?? 0)
        context.verifyResult = easy.handle.get(.sslVerifyResult) ?? 0
        context.proxyError = easy.handle.get(.proxyError) ?? 0
        context.connectCode = easy.handle.get(.httpConnectCode) ?? 0
        context.errorBuffer = easy.handle.errorText
        if let address = easy.handle.get(.primaryIP), !address.isEmpty {
            let host = address.utf8.contains(ASCII.colon) ? "[\(address)]" : address
            context.peer = "\(host):\(easy.handle.get(.primaryPort) ?? 0)"
        }
        return context
    }
}
