/// The minimum speed of a body, measured in windows of time.
///
/// The first window begins with the response's head, and each next one when the former ends. If a
/// whole window brings fewer bytes than the speed allows, the attempt fails with the code
/// `timeout`, and is retried like other timeouts. Time in which the client itself pauses the body,
/// because of ``BatchLimits/bandwidth`` or a slow disk, isn't part of a window. The time until the
/// head is limited by ``BatchTimeouts/firstByte``.
public struct MinimumSpeed: Sendable, Hashable {
    /// Bytes of the body per second, after decompression.
    public var bytesPerSecond: Int64
    /// The length of a window; 30 s by default.
    public var window: Duration

    /// Creates a minimum speed.
    public init(bytesPerSecond: Int64, window: Duration = .seconds(30)) {
        self.bytesPerSecond = bytesPerSecond
        self.window = window
    }

    func validate() throws(BatchFailure) {
        guard bytesPerSecond > 0 else {
            throw BatchFailure(
                .configuration,
                "timeouts.minimumSpeed.bytesPerSecond is \(bytesPerSecond): use 1 or more"
            )
        }
        guard window > .zero else {
            throw BatchFailure(
                .configuration,
                "timeouts.minimumSpeed.window is \(window): use more than zero"
            )
        }
    }
}
