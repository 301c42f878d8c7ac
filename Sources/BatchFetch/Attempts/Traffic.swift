import Posix
import Synchronization

/// Counts the bytes that all attempts receive, and enforces the limits and the minimum speed.
final class Traffic: Sendable {
    let received = Atomic<Int64>(0)
    /// The large bodies in flight.
    let large = LargeBodies()
    let bandwidth: Bandwidth?
    /// Measures the speed of each body; `nil` without a minimum.
    let speed: SpeedWatch?
    private let maximumBody: Int64
    private let maximumTotal: Int64

    init(_ limits: BatchLimits, minimumSpeed: MinimumSpeed? = nil) throws(SystemFailure) {
        let bandwidth = try limits.bandwidth.map { limit throws(SystemFailure) in
            try Bandwidth(bytesPerSecond: limit)
        }
        do throws(SystemFailure) {
            speed = try minimumSpeed.map { speed throws(SystemFailure) in try SpeedWatch(speed) }
        } catch {
            bandwidth?.end()
            throw error
        }
        self.bandwidth = bandwidth
        maximumBody = limits.maximumBodyBytes ?? .max
        maximumTotal = limits.maximumTotalBytes ?? .max
    }

    /// Resumes paused bodies, and ends the threads.
    func end() {
        bandwidth?.end()
        speed?.end()
    }

    /// Whether there is a limit for a single body.
    var limitsBodies: Bool { maximumBody < .max }

    /// The failure of a body of that length; `nil` if it is within the limit.
    func refusal(ofLength length: Int64) -> BatchFailure? {
        guard length > maximumBody else { return nil }
        let message = "the body exceeds the limit of \(maximumBody) bytes"
        return BatchFailure(.bodyTooLarge, message)
    }

    /// Counts received bytes of a body of `body` bytes so far; returns a failure if it exceeds a
    /// limit.
    ///
    /// - Parameter isLimited: Whether the limit for a single body applies.
    func add(_ count: Int, of body: Int64, isLimited: Bool = true) -> BatchFailure? {
        let total = received.wrappingAdd(Int64(count), ordering: .relaxed).newValue
        if isLimited, let refusal = refusal(ofLength: body) { return refusal }
        guard total > maximumTotal else { return nil }
        return BatchFailure(.cancelled, "the run has reached its limit of received bytes")
    }
}
