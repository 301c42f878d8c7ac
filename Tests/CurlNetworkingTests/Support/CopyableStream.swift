internal import Foundation

/// A stream that can be copied and read again, unlike Foundation's.
final class CopyableStream: InputStream, NSCopying {
    private let bytes: Data
    private var offset = 0
    private var status = Stream.Status.notOpen

    init(_ text: String) {
        bytes = Data(text.utf8)
        super.init(data: Data())
    }

    private init(bytes: Data) {
        self.bytes = bytes
        super.init(data: Data())
    }

    func copy(with zone: NSZone?) -> Any { CopyableStream(bytes: bytes) }

    override var streamStatus: Stream.Status { status }
    override var streamError: (any Error)? { nil }
    override var hasBytesAvailable: Bool { offset < bytes.count }
    override func open() { status = .open }
    override func close() { status = .closed }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        let piece = bytes.dropFirst(offset).prefix(len)
        for (index, byte) in piece.enumerated() { buffer[index] = byte }
        offset += piece.count
        return piece.count
    }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length len: UnsafeMutablePointer<Int>
    ) -> Bool {
        false
    }
}
