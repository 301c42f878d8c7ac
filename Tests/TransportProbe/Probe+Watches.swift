internal import CurlTransport
internal import HTTPTypes
internal import TestSupport

/// Runs transfers after the kernel refuses to watch more sockets.
extension Probe {
    /// Runs one transfer to a server; then, with no watches left, one to another server and one
    /// more to the first.
    func unwatched() async throws {
        let known = try LoopbackServer { _ in .text("x") }
        let new = try LoopbackServer { _ in .text("x") }
        let transport = try Transport()
        var options = TransferOptions()
        // Only the refusal may end a transfer.
        options.timeouts = Timeouts(connect: nil, idle: nil)
        let prepared = try PreparedOptions(options)
        for (name, url) in [("before", known.url), ("new", new.url), ("after", known.url)] {
            let delegate = WatchesTaker(takesWatches: name == "before")
            let request = TransferRequest(try HTTPRequest(url: url), options: prepared)
            transport.start(request, delegate: delegate)
            print("\(name)=\(try await delegate.end())")
        }
        await transport.shutdown()
    }
}

/// Makes the kernel refuse watches to its loop when its transfer has completed.
private final class WatchesTaker: TransferDelegate {
    private let ended = Watched<String?>(nil)
    private let takesWatches: Bool

    init(takesWatches: Bool) {
        self.takesWatches = takesWatches
    }

    func end() async throws -> String {
        try await ended.wait { $0 }
    }

    func transfer(
        _ transfer: TransferHandle,
        didReceiveBody bytes: Span<UInt8>
    ) -> DeliveryDecision {
        .proceed
    }

    func transfer(_ transfer: TransferHandle, didCompleteWith error: TransportError?) {
        var text = error.map { "\($0)" } ?? "success"
        if takesWatches, !KernelLimits.refuseWatches() { text = "the system has no filters" }
        ended.update { $0 = text }
    }
}
