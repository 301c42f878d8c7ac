internal import Curl

/// A multi handle that is there when it is needed, and the TLS sessions that go with it.
///
/// Closing it is the one way to close idle connections that libcurl offers; the next transfer opens
/// a new one. TLS sessions survive, so that the new connections resume them.
struct Engine: ~Copyable {
    private var multi: MultiHandle?
    /// Handles that serve no transfer, the last used last.
    private var spare: [EasyBox] = []
    private var sessions: ShareHandle?
    private let maximumIdleConnections: Int
    private var running = 0
    private static let maximumSpare = 256
    /// As many running transfers as libcurl's connection cache has room for now.
    private var roomFor = 0

    init(maximumIdleConnections: Int) {
        // libcurl keeps the sum with the number of transfers in 32 bits.
        self.maximumIdleConnections = min(maximumIdleConnections, 1 << 30)
    }

    var isOpen: Bool { multi != nil }

    /// How many bytes of a response libcurl is to read at once in a transfer that starts now.
    ///
    /// With its own 16 KiB a large body costs twice the CPU; nobody knows yet whether one will come,
    /// and nothing can be changed later. The memory is in use only as far as bytes have come, but
    /// what else libcurl keeps would lie far apart in it: with 10,000 transfers at once that makes
    /// each cost half as much again. So the first few have large ones.
    ///
    /// Deflate makes up to 1,032 bytes of one, and libcurl ends a transfer that is paused when it
    /// has more than 64 MB of them at hand. A buffer of 128 KiB or more the allocator would map and
    /// unmap by itself.
    func receiveBufferSize(_ options: PreparedOptions) -> Int {
        if let size = options.receiveBufferSize { return size }
        guard running < 16 else { return EasyBox.usualBufferSize }
        return (options.decodesContent ? 56 : 120) * 1024
    }

    /// A handle that is set up as `setup` says already, if there is one.
    mutating func reuseEasy(_ setup: EasySetup) -> EasyBox? {
        guard spare.last?.setup == setup else { return nil }
        return spare.popLast()
    }

    /// Makes an easy handle that is to be added here.
    mutating func makeEasy(loop: any MultiCallbacks) throws(CurlCode) -> EasyBox {
        if multi == nil {
            multi = try MultiHandle(callbacks: loop)
            roomFor = 0
        }
        if sessions == nil {
            sessions = try ShareHandle()
        }
        switch multi {
        case .some(let multi):
            return EasyBox(try EasyHandle(for: multi))
        case .none:
            throw .failedInit
        }
    }

    /// Takes back a handle whose transfer is over and which has left the multi handle.
    mutating func keep(_ easy: EasyBox) {
        easy.handle.detach()
        guard easy.setup != nil else { return }
        // Those that were set up for options of the past make room.
        if spare.count >= Self.maximumSpare { spare.removeFirst() }
        spare.append(easy)
    }

    /// Shares the loop's TLS sessions with `easy`.
    func shareSessions(with easy: EasyBox) throws(EasyOptionFailure) {
        switch sessions {
        case .some(let sessions): try easy.handle.set(share: sessions)
        case .none: break
        }
    }

    mutating func add(_ easy: EasyBox) -> MultiCode {
        running += 1
        makeRoom()
        return multi?.add(easy.handle) ?? .badHandle
    }

    mutating func remove(_ easy: EasyBox) {
        running -= 1
        multi?.remove(easy.handle)
    }

    /// libcurl's limit counts connections in use too, and below their number it would close
    /// connections that the next transfer wants. So it follows the number of transfers, in steps.
    private mutating func makeRoom() {
        guard running > roomFor || running * 4 < roomFor else { return }
        roomFor = running + running / 2 + 16
        multi?.set(.maxConnects, max(1, roomFor + maximumIdleConnections))
    }

    func work(on descriptor: Int32, ready: SocketInterest) -> MultiCode {
        multi?.work(on: descriptor, ready: ready) ?? .badSocket
    }

    func timeout() -> MultiCode {
        multi?.timeout() ?? .ok
    }

    func nextResult() -> (token: UInt64, code: CurlCode)? {
        multi?.nextResult()
    }

    /// Closes every connection. No transfer may be left inside.
    mutating func close() {
        // Their options point into the multi handle's context.
        spare = []
        multi = nil
        running = 0
    }
}
