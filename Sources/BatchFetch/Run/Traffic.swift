import Curl
import Synchronization

/// Counts what all attempts receive, and knows how much they may.
final class Traffic: Sendable {
    let received = Atomic<Int64>(0)
    let bandwidth: Bandwidth?
    private let maximumBody: Int64
    private let maximumTotal: Int64

    init(_ limits: BatchLimits) throws(SystemFailure) {
        bandwidth = try limits.bandwidth.map { limit throws(SystemFailure) in
            try Bandwidth(bytesPerSecond: limit)
        }
        maximumBody = limits.maximumBodyBytes ?? .max
        maximumTotal = limits.maximumTotalBytes ?? .max
    }

    /// Whether the length of one body matters.
    var limitsBodies: Bool { maximumBody < .max }

    /// Why a body of that length may not come, if that is so.
    func refusal(ofLength length: Int64) -> BatchFailure? {
        guard length > maximumBody else { return nil }
        let message = "the body has more than \(maximumBody) bytes, which is the limit"
        return BatchFailure(.bodyTooLarge, message)
    }

    /// Bytes of a body have come, which has so many now. Why no more may, if that is so.
    ///
    /// - Parameter isLimited: Whether the limit of one body is meant for this one.
    func add(_ count: Int, of body: Int64, isLimited: Bool = true) -> BatchFailure? {
        let total = received.wrappingAdd(Int64(count), ordering: .relaxed).newValue
        if isLimited, let refusal = refusal(ofLength: body) { return refusal }
        guard total > maximumTotal else { return nil }
        return BatchFailure(.cancelled, "the run has received all the bytes that it may")
    }
}
