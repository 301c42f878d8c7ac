internal import Curl
internal import Posix

/// The connection of one attempt: its name lookup, its sockets, and its TLS session.
struct AttemptConnection {
    /// Whether the attempt has a place for a name lookup, which hasn't succeeded yet.
    private(set) var performsLookup: Bool

    /// When the connection was established for the first time, and sending began.
    private(set) var sendingStarted: MonotonicTime?

    /// Whether the connection is established. False while libcurl replaces a dead reused one.
    private(set) var isEstablished = false

    /// Whether the response has arrived as one of several streams of the connection.
    var isMultiplexed = false

    var tls: TLSInfo?

    /// The sockets that libcurl has opened for the attempt.
    private(set) var newSockets: [ConnectionSocket] = []

    /// The socket of the current or last connection, which may be a reused one.
    private(set) var socket: ConnectionSocket?

    /// Collects the proxy's tunnel heads, if the delegate wants them.
    var tunnelHeads: TunnelHeads?

    /// Whether a proxy's tunnel head is arriving.
    var isReadingTunnelHead: Bool { tunnelHeads != nil && !isEstablished }

    init(performsLookup: Bool) {
        self.performsLookup = performsLookup
    }

    /// Ends the name lookup. Returns false if there is none.
    mutating func lookupEnded() -> Bool {
        guard performsLookup else { return false }
        performsLookup = false
        return true
    }

    /// Records a socket that libcurl has opened.
    mutating func opened(_ socket: ConnectionSocket) {
        newSockets.append(socket)
        isEstablished = false
    }

    /// Records that libcurl is about to send the request.
    mutating func established(at now: MonotonicTime) {
        isEstablished = true
        if sendingStarted == nil { sendingStarted = now }
    }

    /// Changes the socket, and the number of attempts that use either one.
    mutating func use(_ socket: ConnectionSocket?) {
        guard self.socket !== socket else { return }
        if let former = self.socket {
            assert(former.userCount > 0, "a connection is left that wasn't used")
            former.userCount -= 1
        }
        self.socket = socket
        socket?.userCount += 1
    }
}
