internal import Curl
internal import HTTPSemantics
internal import Posix

extension TransferAttempt {
    /// libcurl's information about the attempt that distinguishes failures.
    func failureContext(url: String, usesProxy: Bool) -> FailureContext {
        var context = FailureContext(scheme: endpoint.scheme, url: url)
        func isReached(_ time: Int64?) -> Bool { time.map { $0 > 0 } ?? false }
        context.usesProxy = usesProxy
        context.isNameLookupDone = isReached(easy.handle.get(.nameLookupTime))
        context.isConnectDone = isReached(easy.handle.get(.connectTime))
        context.isAppConnectDone = isReached(easy.handle.get(.appConnectTime))
        context.isPreTransferDone = isReached(easy.handle.get(.preTransferTime))
        context.isRequestSent = sending.isComplete
        context.headReceived = response.hasHead
        context.isConnectionReused =
            easy.handle.get(.numConnects) == 0 && connection.sendingStarted != nil
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
