internal import CurlTransport
internal import Dispatch
internal import Foundation
internal import Synchronization

/// What goes over the connection of a stream task that has given it away.
///
/// A write waits until its bytes were handed to the system. As with the other streams of Foundation on
/// Linux, run loops tell nothing of it.
final class CapturedOutputStream: OutputStream {
    /// `nil` for one that leads nowhere.
    private let connection: StreamConnection?
    private var status = Stream.Status.notOpen
    private var failure: URLError?

    /// Of a connection that has no other writer any more.
    init(_ connection: StreamConnection) {
        self.connection = connection
        super.init(toMemory: ())
    }

    /// Of nothing: a class that inherits from Foundation's must have it.
    required init(toMemory: ()) {
        connection = nil
        super.init(toMemory: ())
    }

    deinit {
        connection?.closeWrite()
    }

    override var streamStatus: Stream.Status { status }
    override var streamError: (any Error)? { failure }
    /// Only a write tells.
    override var hasSpaceAvailable: Bool { status == .open }

    override func open() {
        if status == .notOpen { status = .open }
    }

    override func close() {
        status = .closed
        connection?.closeWrite()
    }

    override func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
        guard status == .open, len >= 0, let connection else { return -1 }
        let data = unsafe Data(bytes: buffer, count: len)
        let answer = Mutex<TransportError?>(nil)
        let isAnswered = DispatchSemaphore(value: 0)
        connection.write(data, timeout: nil) { error in
            answer.withLock { $0 = error }
            isAnswered.signal()
        }
        isAnswered.wait()
        guard let error = answer.withLock({ $0 }) else { return len }
        failure = URLError(error, url: nil)
        status = .error
        return -1
    }

    override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }

    override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool {
        false
    }

    override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {}

    override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {}
}
