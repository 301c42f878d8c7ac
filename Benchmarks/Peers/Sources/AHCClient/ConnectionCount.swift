internal import NIOCore
internal import Synchronization

/// Counts the connections that are opened, on the event loops.
final class ConnectionCount: Sendable {
    private let opened = Atomic(0)

    var value: Int { opened.load(ordering: .relaxed) }

    func count(_ channel: any Channel) -> EventLoopFuture<Void> {
        opened.add(1, ordering: .relaxed)
        return channel.eventLoop.makeSucceededVoidFuture()
    }
}
