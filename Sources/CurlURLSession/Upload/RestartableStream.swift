package import Foundation

/// A body stream whose bytes can be had again from the first one, so that a redirect and a challenge need
/// nobody's help.
///
/// A delegate that is asked for a new stream, and has one, goes first.
package protocol RestartableStream: InputStream {
    /// How many bytes there are in all; `nil` where that isn't known.
    var length: Int64? { get }

    /// How slowly it wants to be sent; `nil` to be sent as fast as the connection takes it.
    var pace: StreamPace? { get }

    /// Another stream that begins with the first byte. Called from any thread, also while this one
    /// is being read: it looks at constants alone.
    func restarted() -> InputStream
}

extension BodyStream {
    private var restartable: (any RestartableStream)? { stream as? any RestartableStream }

    var isRestartable: Bool { restartable != nil }
    var length: Int64? { restartable?.length }
    var pace: StreamPace? { restartable?.pace }

    /// The same bytes once more; `nil` where a stream can't be read twice.
    var restarted: BodyStream? { restartable.map { BodyStream(stream: $0.restarted()) } }
}

extension BodyContent {
    var isRestartable: Bool {
        if case .stream(let stream) = self { stream.isRestartable } else { false }
    }

    /// The stream once more, where it can be.
    var restartedStream: BodyStream? {
        if case .stream(let stream) = self { stream.restarted } else { nil }
    }
}
