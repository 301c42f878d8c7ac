internal import CurlTransport
internal import Dispatch
internal import Foundation
internal import Synchronization

/// What comes over the connection of a stream task that has given it away.
///
/// A read waits for bytes. As with the other streams of Foundation on Linux, run loops tell nothing of it.
final class CapturedInputStream: InputStream {
    private let connection: StreamConnection
    private var status = Stream.Status.notOpen
    private var failure: URLError?

    /// Of a connection that has no other reader any more.
    init(_ connection: StreamConnection) {
        self.connection = connection
        super.init(data: Data())
    }

    deinit {
        connection.closeRead()
    }

    override var streamStatus: Stream.Status { status }
    override var streamError: (any Error)? { failure }
    /// Only a read tells.
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

    /// There is no buffer to be looked into.
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
