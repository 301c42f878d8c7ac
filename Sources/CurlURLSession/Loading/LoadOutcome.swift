internal import CurlTransport
internal import Foundation

/// How a loader ended.
struct LoadOutcome: Sendable {
    enum Failure: Sendable {
        case transport(TransportError)
        case other(any Error)
    }

    /// `nil` for success.
    var failure: Failure?
    /// What was measured; `nil` where nothing went over the network.
    var metrics: TransferMetrics?
}
