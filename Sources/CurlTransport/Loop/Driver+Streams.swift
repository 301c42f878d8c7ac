internal import Curl

// Transfers that share a connection as its streams.

extension Driver {
    /// Takes note that a transfer failed, where its connection may have others.
    ///
    /// A server that ends a connection with TLS's alert and leaves TCP open gives the socket one
    /// event. libcurl hands that to one of the streams; the others would sit there until their time
    /// is over (seen with 7.88.1).
    func streamFailed(of transfer: Transfer) {
        guard let origin = transfer.origin, scheduler.knownVersion(of: origin) == .multiplexed
        else { return }
        suspectOrigins.insert(origin)
    }

    /// Lets libcurl look at the connections of all transfers beside those that failed.
    func lookAfterStreams() {
        guard !suspectOrigins.isEmpty else { return }
        for transfer in transfers.values {
            guard let origin = transfer.origin, suspectOrigins.contains(origin),
                let hop = transfer.hop, transfer.machine.isFlowing, !hop.isReceivingHeldBack
            else { continue }
            // Only a change of what is paused has libcurl look.
            hop.easy.handle.pause(receiving: false, sending: !hop.isSendingHeldBack)
            hop.easy.handle.pause(receiving: false, sending: hop.isSendingHeldBack)
            curlDeadline = now
        }
        suspectOrigins.removeAll()
    }
}
