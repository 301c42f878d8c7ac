extension LoopbackServer {
    package var acceptedConnectionCount: Int { watched.read { $0.connections.count } }
    package var openConnectionCount: Int { watched.read { $0.openConnectionCount } }
    /// How many request heads have been read.
    package var requestCount: Int { watched.read { $0.requestCount } }
    /// All recorded requests, in the order in which their heads were read.
    package var requests: [RecordedRequest] { watched.read { $0.requests } }
    package var connections: [ConnectionRecord] { watched.read { $0.connections } }

    package func connection(_ index: Int) -> ConnectionRecord? {
        watched.read { $0.connections.indices.contains(index) ? $0.connections[index] : nil }
    }

    /// Waits for the head of a request, counted from 0.
    package func requestHead(_ index: Int) async throws -> RecordedRequest {
        try await watched.wait { $0.requests.count > index ? $0.requests[index] : nil }
    }

    /// Waits until a request, counted from 0, has been read with its body. A script must read the
    /// body.
    package func request(_ index: Int) async throws -> RecordedRequest {
        try await watched.wait { state in
            guard state.requests.count > index, state.requests[index].isComplete else {
                return nil
            }
            return state.requests[index]
        }
    }

    package func requests(count: Int) async throws {
        try await watched.wait { $0.requestCount >= count ? () : nil }
    }

    package func connectionsAccepted(_ count: Int) async throws {
        try await watched.wait { $0.connections.count >= count ? () : nil }
    }

    /// Waits until a connection, counted from 0, has ended, and returns its record.
    @discardableResult
    package func connectionClosed(_ index: Int) async throws -> ConnectionRecord {
        try await watched.wait { state in
            guard state.connections.count > index, !state.connections[index].isOpen else {
                return nil
            }
            return state.connections[index]
        }
    }

    /// Waits until exactly `count` connections are open.
    package func openConnections(_ count: Int) async throws {
        try await watched.wait { $0.openConnectionCount == count ? () : nil }
    }

    /// Waits until the server has sent at least `bytes` bytes on a connection.
    @discardableResult
    package func sent(_ bytes: Int, connection index: Int = 0) async throws -> ConnectionRecord {
        try await watched.wait { state in
            guard state.connections.count > index, state.connections[index].bytesSent >= bytes
            else { return nil }
            return state.connections[index]
        }
    }

    /// Waits until the server can't send on a connection because the peer doesn't read. The server
    /// may continue at any later moment: a peer that is merely slow blocks again and again.
    @discardableResult
    package func blocked(connection index: Int = 0) async throws -> ConnectionRecord {
        try await watched.wait { state in
            guard state.connections.count > index, state.connections[index].isBlocked else {
                return nil
            }
            return state.connections[index]
        }
    }
}
