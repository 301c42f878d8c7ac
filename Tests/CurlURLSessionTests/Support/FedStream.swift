internal import Foundation

/// A stream whose reads wait for the pieces of a feed.
///
/// Each piece must be smaller than the buffer of a read.
final class FedStream: InputStream {
    private let feed: Feed
    private var status = Stream.Status.notOpen

    init(_ feed: Feed) {
        self.feed = feed
        super.init(data: Data())
    }

    override var streamStatus: Stream.Status { status }
    override var streamError: (any Error)? { nil }
    override var hasBytesAvailable: Bool { true }
    override func open() { status = .open }
    override func close() { status = .closed }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        let piece = feed.next().prefix(len)
        for (index, byte) in piece.enumerated() { buffer[index] = byte }
        return piece.count
    }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length len: UnsafeMutablePointer<Int>
    ) -> Bool {
        false
    }
}
