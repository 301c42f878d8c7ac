internal import CurlURLSession
internal import Foundation

/// A multipart form as a request's body stream.
///
/// It reads boundaries, headers, data, files and streams one after the other, and opens each when
/// it is reached. A copy starts at the first byte, regardless of what was read here. As with
/// Foundation's other streams on Linux, run loops deliver no events for it.
final class MultipartBodyStream: InputStream, RestartableStream {
    private let content: MultipartContent
    private var reader: MultipartReader
    private var status = Stream.Status.notOpen
    private var failure: (any Error)?

    init(_ content: MultipartContent) {
        self.content = content
        reader = MultipartReader(content)
        super.init(data: Data())
    }

    var length: Int64? { content.length }
    var pace: StreamPace? { content.pace }

    func restarted() -> InputStream { MultipartBodyStream(content) }

    override var streamStatus: Stream.Status { status }
    override var streamError: (any Error)? { failure }
    override var hasBytesAvailable: Bool { status == .open }

    override func open() {
        if status == .notOpen { status = .open }
    }

    override func close() {
        status = .closed
        reader.stop()
    }

    /// Reads bytes; an error ends the stream at once.
    ///
    /// The bytes read before an error aren't a complete form.
    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        guard status == .open, len > 0 else { return status == .atEnd ? 0 : -1 }
        do {
            let bytes = try reader.read(upTo: min(len, content.pace?.packetSize ?? len))
            if bytes.isEmpty { status = .atEnd }
            unsafe buffer.update(from: bytes, count: bytes.count)
            return bytes.count
        } catch {
            reader.stop()
            failure = error
            status = .error
            return -1
        }
    }

    /// Always `false`: the stream has no buffer to expose.
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

extension MultipartBodyStream: NSCopying {
    func copy(with zone: NSZone? = nil) -> Any { restarted() }
}
