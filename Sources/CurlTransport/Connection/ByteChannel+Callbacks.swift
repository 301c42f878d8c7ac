internal import Curl

// What libcurl calls while it connects, always on the loop thread and from inside libcurl: nothing
// here touches the multi handle.

extension ByteChannel: EasyCallbacks {
    /// A proxy's answer; nobody asked for it.
    func received(headerLine: Span<UInt8>) -> EasyDataAction { .accept }

    func received(body: Span<UInt8>) -> EasyDataAction { .accept }

    func fill(_ output: inout OutputSpan<UInt8>) -> EasyFillAction { .endOfBody }

    func seekRequestBody(to offset: Int64) -> EasySeekAction { .impossible }

    func readyToSend() -> Bool {
        guard let hop else { return false }
        driver.lookupAnswered(hop, at: origin)
        if endpoint.isSecure { hop.tls = hop.easy.handle.tls }
        hop.sendingStarted = driver.now
        return true
    }

    func openedSocket(_ descriptor: Int32) {
        driver.reactor.socketOpened(descriptor, for: id.rawValue)
        driver.lookupAnswered(hop, at: origin)
    }

    func said(_ kind: EasyLogKind, _ bytes: Span<UInt8>) {
        guard !driver.isCancelled(self) else { return }
        for line in TransferLog.lines(kind, bytes) { delegate.connection(connection, didLog: line) }
    }
}
