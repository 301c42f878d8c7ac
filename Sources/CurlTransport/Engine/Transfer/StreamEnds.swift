internal import Curl
internal import Posix

/// Distinguishes complete HTTP/2 responses from reset ones. Belongs to one loop.
///
/// A response is complete with END_STREAM (RFC 9113, section 8.1). libcurl treats RST_STREAM with
/// `NO_ERROR` like it, and Envoy, for example, resets streams in this way when its own server has
/// failed. If the response has no length, only libcurl's trace shows the difference.
struct StreamEnds {
    /// Whether handles that may use HTTP/2 report the frames.
    ///
    /// They start with the first response without a length, because the reports cost a quarter of a
    /// small request.
    private(set) var areWatched = false

    private struct Stream: Hashable {
        let descriptor: Int32?
        let id: UInt32
    }

    /// Streams after END_STREAM that aren't closed yet, because the request is still being sent.
    private var ended: Set<Stream> = []

    /// The stream that the last frame has reset before its END_STREAM.
    private var reset: UInt32?

    init() {
        // Before 8.8, libcurl reads frames before it delivers the head, so starting later would
        // miss the first response.
        let version = CurlVersion.current
        if version.canTraceStreams, !version.isAtLeast(8, 8) { watch() }
    }

    /// Starts watching. Returns false if already started, or not possible.
    @discardableResult
    mutating func watch() -> Bool {
        guard !areWatched, CurlGlobal.tracesStreams else { return false }
        areWatched = true
        return true
    }

    /// Processes a trace line of the handle that uses the socket `descriptor`; nil if unknown.
    ///
    /// Returns whether the stream of the handle's own transfer was reset within its response.
    mutating func note(_ trace: StreamTrace, on descriptor: Int32?) -> Bool {
        switch trace {
        case .ended(let id):
            reset = nil
            // If the end of the connection can't be observed, the stream would never be removed.
            if descriptor != nil { ended.insert(Stream(descriptor: descriptor, id: id)) }
        case .reset(let id):
            reset = ended.contains(Stream(descriptor: descriptor, id: id)) ? nil : id
        case .frame:
            reset = nil
        case .limit:
            break
        case .closed(let id):
            // libcurl closes the stream while it processes the frame, so no other line comes in
            // between.
            ended.remove(Stream(descriptor: descriptor, id: id))
            defer { reset = nil }
            return reset == id
        }
        return false
    }

    mutating func connectionClosed(_ descriptor: Int32) {
        guard !ended.isEmpty else { return }
        ended = ended.filter { $0.descriptor != descriptor }
    }
}
