/// The connections for bytes of a loop, and the sockets of the open ones.
struct ChannelTable {
    private var byID: [TransferID: ByteChannel] = [:]
    private var bySocket: [Int32: ByteChannel] = [:]

    var isEmpty: Bool { byID.isEmpty }

    var all: Dictionary<TransferID, ByteChannel>.Values { byID.values }

    subscript(id: TransferID) -> ByteChannel? { byID[id] }

    /// The channel that is open on `socket`; nil if there is none.
    func open(on socket: Int32) -> ByteChannel? {
        bySocket.isEmpty ? nil : bySocket[socket]
    }

    mutating func add(_ channel: ByteChannel) {
        byID[channel.id] = channel
    }

    mutating func remove(_ channel: ByteChannel) {
        byID[channel.id] = nil
    }

    mutating func opened(_ channel: ByteChannel, on socket: Int32) {
        bySocket[socket] = channel
    }

    /// Removes `socket`, which closes. Returns the channel that was open on it.
    @discardableResult
    mutating func closed(_ socket: Int32) -> ByteChannel? {
        bySocket.isEmpty ? nil : bySocket.removeValue(forKey: socket)
    }
}
