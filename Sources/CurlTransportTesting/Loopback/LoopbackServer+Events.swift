extension LoopbackServer {
    /// The number of connections that were accepted.
    public var acceptedConnectionCount: Int { watched.read { $0.connections.count } }
    /// The number of connections that haven't ended.
    public var openConnectionCount: Int { watched.read { $0.openConnectionCount } }
    /// By how many connections ``LoopbackOptions/connectionLimit`` was exceeded at most.
    ///
    /// A connection that the peer has closed doesn't count, even if the server hasn't read its end.
    public var excessConnectionCount: Int { watched.read { $0.excessConnectionCount } }
    /// How many request heads have been read.
    public var requestCount: Int { watched.read { $0.requestCount } }
    /// All recorded requests, in the order in which their heads were read.
    public var requests: [LoopbackRequest] { watched.read { $0.requests } }
    /// All connections, in the order in which they were accepted.
    public var connections: [LoopbackConnection] { watched.read { $0.connections } }

    /// A connection, counted from 0; nil if there were fewer.
    public func connection(_ index: Int) -> LoopbackConnection? {
        watched.read { $0.connections.indices.contains(index) ? $0.connections[index] : nil }
    }

    /// Waits for the head of a request, counted from 0.
    public func requestHead(_ index: Int) async throws -> LoopbackRequest {
        try await watched.wait { $0.requests.count > index ? $0.requests[index] : nil }
    }

    /// Waits until a request, counted from 0, has been read with its body. A script must read the
    /// body.
    public func request(_ index: Int) async throws -> LoopbackRequest {
        try await watched.wait { state in
            guard state.requests.count > index, state.requests[index].isComplete else {
                return nil
            }
            return state.requests[index]
        }
    }

    /// Waits until this many request heads have been read.
    public func requests(count: Int) async throws {
        try await watched.wait { $0.requestCount >= count ? () : nil }
    }

    /// Waits until this many connections were accepted.
    public func connectionsAccepted(_ count: Int) async throws {
        try await watched.wait { $0.connections.count >= count ? () : nil }
    }

    /// Waits until a connection, counted from 0, has ended, and returns its record.
    @discardableResult
    public func connectionClosed(_ index: Int) async throws -> LoopbackConnection {
        try await watched.wait { state in
            guard state.connections.count > index, !state.connections[index].isOpen else {
                return nil
            }
            return state.connections[index]
        }
    }

    /// Waits until exactly `count` connections are open.
    public func openConnections(_ count: Int) async throws {
        try await watched.wait { $0.openConnectionCount == count ? () : nil }
    }

    /// Waits until the server has sent at least `bytes` bytes on a connection.
    @discardableResult
    public func sent(_ bytes: Int, connection index: Int = 0) async throws -> LoopbackConnection {
        try await watched.wait { state in
            guard state.connections.count > index, state.connections[index].bytesSent >= bytes
            else { return nil }
            return state.connections[index]
        }
    }

    /// Waits until the server can't send on a connection because the peer doesn't read. The server
    /// may continue at any later moment: a peer that is merely slow blocks again and again.
    @discardableResult
    public func blocked(connection index: Int = 0) async throws -> LoopbackConnection {
        try await watched.wait { state in
            guard state.connections.count > index, state.connections[index].isBlocked else {
                return nil
            }
            return state.connections[index]
        }
    }
}
