internal import Curl
internal import Posix
internal import Testing

@testable internal import CurlTransport

@Suite struct ConnectionSocketsTests {
    private func ends(_ port: UInt16, to remote: String = "") -> ConnectionEnds {
        ConnectionEnds(
            local: AddressText(),
            localPort: port,
            remote: AddressText(remote),
            remotePort: 443
        )
    }

    /// Adds a connection that a transfer uses, whose descriptor is its local port, too.
    private func use(
        _ number: Int32,
        in sockets: inout ConnectionSockets,
        of connections: OriginConnections? = nil
    ) throws -> ConnectionSocket {
        let home = connections.map { SocketHome(connections: $0, shard: 0) }
        let opened = sockets.opened(number, sharedBy: nil, at: home)
        let found = sockets.socket(between: ends(UInt16(number)), opened: [opened])
        let socket = try #require(found)
        socket.addUser()
        return socket
    }

    @Test("A connection is idle while it is open and no transfer uses it")
    func openConnectionWithoutUserIsIdle() throws {
        var sockets = ConnectionSockets()
        let first = try use(9001, in: &sockets)
        let second = try use(9002, in: &sockets)
        #expect(sockets.idleCount == 0)
        first.removeUser()
        #expect(sockets.idleCount == 1)
        first.addUser()
        #expect(sockets.idleCount == 0)
        first.removeUser()
        sockets.closed(9001)
        #expect(sockets.idleCount == 0)
        second.removeUser()
        #expect(sockets.idleCount == 1)
    }

    @Test("A connection that transfers share as streams is active once, until the last one ends")
    func sharedConnectionIsActiveOnce() throws {
        var sockets = ConnectionSockets()
        let connections = OriginConnections()
        let origin = ObjectIdentifier(connections)
        let socket = try use(9001, in: &sockets, of: connections)
        _ = sockets.opened(9002, sharedBy: nil)
        socket.addUser()
        #expect(sockets.counts() == ConnectionCounts(active: 1, idle: 0))
        #expect(sockets.countsByOrigin() == [origin: ConnectionCounts(active: 1, idle: 0)])
        socket.removeUser()
        #expect(sockets.counts() == ConnectionCounts(active: 1, idle: 0))
        socket.removeUser()
        #expect(sockets.counts() == ConnectionCounts(active: 0, idle: 1))
        #expect(sockets.countsByOrigin() == [origin: ConnectionCounts(active: 0, idle: 1)])
        sockets.closed(9001)
        #expect(sockets.counts() == ConnectionCounts())
    }

    @Test("A connection isn't idle while libcurl closes it")
    func closingConnectionIsNotIdle() throws {
        var sockets = ConnectionSockets()
        let kept = try use(9001, in: &sockets)
        kept.removeUser()
        let closing = try use(9002, in: &sockets)
        closing.removeUser(closesConnection: true)
        #expect(sockets.idleCount == 1)
        sockets.closed(9002)
        #expect(sockets.idleCount == 1)
    }

    @Test("A connection that is closed before its transfer leaves it doesn't hide an idle one")
    func connectionClosedFirstIsNotCounted() throws {
        var sockets = ConnectionSockets()
        let kept = try use(9001, in: &sockets)
        kept.removeUser()
        let lost = try use(9002, in: &sockets)
        sockets.closed(9002)
        #expect(sockets.idleCount == 1)
        lost.removeUser(closesConnection: true)
        #expect(sockets.idleCount == 1)
    }

    @Test("A connection that libcurl keeps in spite of its closing can be used again")
    func keptConnectionIsUsedAgain() throws {
        var sockets = ConnectionSockets()
        let socket = try use(9001, in: &sockets)
        socket.removeUser(closesConnection: true)
        socket.addUser()
        socket.removeUser()
        #expect(sockets.idleCount == 1)
    }

    @Test("A connection that should be closed but is kept can be chosen for closing again")
    func keptConnectionLeavesAgain() throws {
        var sockets = ConnectionSockets()
        let connections = OriginConnections()
        let socket = try use(9001, in: &sockets, of: connections)
        #expect(socket.leave())
        #expect(!socket.leave())
        #expect(connections.leaving == 1)
        socket.removeUser()
        #expect(connections.leaving == 0)
        #expect(connections.shards.idleCount == 1)
        socket.addUser()
        #expect(socket.leave())
        socket.removeUser(closesConnection: true)
        #expect(connections.leaving == 1)
        #expect(connections.closing == 1)
        sockets.closed(9001)
        #expect(connections.leaving == 0)
        #expect(connections.closing == 0)
        #expect(connections.shards.idleCount == 0)
    }

    @Test("Connections with equal ports to several addresses differ", arguments: [0, 1, 2])
    func equalPortsToSeveralAddresses(closedFirst: Int) throws {
        var sockets = ConnectionSockets()
        let addresses = ["192.0.2.1", "192.0.2.2", "192.0.2.3"]
        for (index, address) in addresses.enumerated() {
            let opened = sockets.opened(Int32(index), sharedBy: nil)
            #expect(sockets.socket(between: ends(9001, to: address), opened: [opened]) === opened)
        }
        #expect(sockets.counts() == ConnectionCounts(active: 0, idle: 3))
        sockets.closed(Int32(closedFirst))
        for (index, address) in addresses.enumerated() {
            let found = sockets.socket(between: ends(9001, to: address), opened: [])
            #expect(found?.descriptor == (index == closedFirst ? nil : Int32(index)))
        }
        #expect(sockets.idleCount == 2)
        for index in addresses.indices where index != closedFirst { sockets.closed(Int32(index)) }
        #expect(sockets.idleCount == 0)
        #expect(sockets.counts() == ConnectionCounts(active: 0, idle: 0))
    }
}
