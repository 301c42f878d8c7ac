internal import Curl

// Transfers by the connection that they use.

extension Driver {
    /// Ends the transfers on sockets that the kernel refused to watch, where they would wait for ever.
    func stopUnwatched() {
        for refused in reactor.takeRefused() {
            let error = TransportError.unwatched(refused.failure)
            for transfer in transfers.values {
                guard let hop = transfer.hop else { continue }
                // libcurl names a socket only once a transfer is done with it; until then it counts who
                // had the socket opened.
                let isOnIt =
                    hop.easy.handle.activeSocket.map { $0 == refused.descriptor }
                    ?? (refused.owner == transfer.id.rawValue)
                if isOnIt { stop(transfer, with: error) }
            }
            for channel in channels.values where channel.hop != nil {
                if (channel.socket ?? refused.descriptor) == refused.descriptor,
                    refused.owner == channel.id.rawValue
                {
                    stop(channel, with: error)
                }
            }
        }
    }

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
