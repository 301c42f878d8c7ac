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
    /// What the origin said first, and was of no use, so that it was asked again.
    var former: Answer?

    /// A response that nobody gets, and what was measured of it.
    struct Answer: Sendable {
        let head: ResponseHead
        let metrics: TransferMetrics
    }
}
