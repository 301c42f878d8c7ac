/// How slowly a body is sent: so many bytes at most, then a wait.
package struct StreamPace: Sendable, Hashable {
    /// How many bytes are read at once, at most. The stream itself keeps to it.
    package let packetSize: Int
    /// How long nothing is read after each packet.
    package let delay: Duration

    package init(packetSize: Int, delay: Duration) {
        self.packetSize = packetSize
        self.delay = delay
    }
}
