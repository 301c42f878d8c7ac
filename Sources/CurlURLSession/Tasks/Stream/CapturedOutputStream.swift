internal import CurlTransport
internal import Dispatch
internal import Foundation
internal import Synchronization

/// The output stream of a captured stream task's connection.
///
/// A write blocks until the system has accepted its bytes. As with Foundation's other streams on
/// Linux, run loops report no events for it.
final class CapturedOutputStream: OutputStream {
    /// `nil` for a stream without a connection.
    private let connection: StreamConnection?
    private var status = Stream.Status.notOpen
    private var failure: URLError?

    /// Creates a stream for a connection that has no other writer.
    init(_ connection: StreamConnection) {
        self.connection = connection
        super.init(toMemory: ())
    }

    /// Creates a stream without a connection. The superclass requires this initializer.
    required init(toMemory: ()) {
        connection = nil
        super.init(toMemory: ())
    }

    deinit {
        connection?.closeWrite()
    }

    override var streamStatus: Stream.Status { status }
    override var streamError: (any Error)? { failure }
    /// Only a write shows whether space is available.
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
