package import Foundation

/// A body stream that can be read again from its first byte.
///
/// Redirects and challenges then need no new stream from the delegate. If the delegate provides
/// one, that takes precedence.
package protocol RestartableStream: InputStream {
    /// The total length in bytes; `nil` if unknown.
    var length: Int64? { get }

    /// The sending rate; `nil` to send as fast as the connection allows.
    var pace: StreamPace? { get }

    /// Returns another stream that starts at the first byte.
    ///
    /// May be called from any thread, also while this stream is being read, so it must only use
    /// constants.
    func restarted() -> InputStream
}

extension BodyStream {
    private var restartable: (any RestartableStream)? { stream as? any RestartableStream }

    var isRestartable: Bool { restartable != nil }
    var length: Int64? { restartable?.length }
    var pace: StreamPace? { restartable?.pace }

    /// A stream of the same bytes. `nil` if the stream can't be read twice.
    var restarted: BodyStream? { restartable.map { BodyStream(stream: $0.restarted()) } }
}

extension BodyContent {
    var isRestartable: Bool {
        if case .stream(let stream) = self { stream.isRestartable } else { false }
    }

    /// A new stream of the same bytes, if the stream can be restarted.
    var restartedStream: BodyStream? {
        if case .stream(let stream) = self { stream.restarted } else { nil }
    }
}

/// Limits the sending rate of a body: a packet, then a delay.
package struct StreamPace: Sendable, Hashable {
    /// The largest number of bytes read at once. The stream itself enforces it.
    package let packetSize: Int
    /// The delay after each packet.
    package let delay: Duration

    package init(packetSize: Int, delay: Duration) {
        self.packetSize = packetSize
        self.delay = delay
    }
}
