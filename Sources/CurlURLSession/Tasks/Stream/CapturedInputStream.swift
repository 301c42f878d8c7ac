internal import CurlTransport
internal import Dispatch
internal import Foundation
internal import Synchronization

/// The input stream of a captured stream task's connection.
///
/// A read blocks until bytes arrive. As with Foundation's other streams on Linux, run loops report
/// no events for it.
final class CapturedInputStream: InputStream {
    private let connection: StreamConnection
    private var status = Stream.Status.notOpen
    private var failure: URLError?

    /// Creates a stream for a connection that has no other reader.
    init(_ connection: StreamConnection) {
        self.connection = connection
        super.init(data: Data())
    }

    deinit {
        connection.closeRead()
    }

    override var streamStatus: Stream.Status { status }
    override var streamError: (any Error)? { failure }
    /// Only a read shows whether bytes are available.
    override var hasBytesAvailable: Bool { status == .open }

    override func open() {
        if status == .notOpen { status = .open }
    }

    override func close() {
        status = .closed
        connection.closeRead()
    }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        guard status == .open, len > 0 else { return status == .atEnd ? 0 : -1 }
        let answer = Mutex<StreamReads.Answer?>(nil)
        let isAnswered = DispatchSemaphore(value: 0)
        connection.read(1...len, timeout: nil) { result in
            answer.withLock { $0 = result }
            isAnswered.signal()
        }
        isAnswered.wait()
        switch answer.withLock({ $0 }) {
        case .success(let (data, _)):
            if data.isEmpty { status = .atEnd }
            unsafe data.copyBytes(to: buffer, count: data.count)
            return data.count
        case .failure(let error):
            failure = URLError(error, url: nil)
            status = .error
            return -1
        case nil:
            return -1
        }
    }

    /// Not supported: the stream has no buffer to expose.
    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length len: UnsafeMutablePointer<Int>
    ) -> Bool {
        false
    }

    override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }

    override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool {
        false
    }

    override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {}

    override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {}
}
