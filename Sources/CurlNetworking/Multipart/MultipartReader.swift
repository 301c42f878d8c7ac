internal import Foundation

/// Reads a multipart form from its first byte to its last, in pieces of any size.
struct MultipartReader {
    private var rest: ArraySlice<MultipartContent.Piece>
    private var bytes = Data()
    private var body: PartReader?

    init(_ content: MultipartContent) {
        rest = content.pieces[...]
    }

    /// Closes what is open. There is nothing more to read.
    mutating func stop() {
        body?.close()
        (rest, bytes, body) = ([], Data(), nil)
    }

    /// As many bytes as are wanted, or fewer where a stream has no more now; none at the end.
    ///
    /// - Throws: What is wrong with a file or stream. Nothing may be sent any more then.
    mutating func read(upTo count: Int) throws -> [UInt8] {
        var read: [UInt8] = []
        while read.count < count {
            if !bytes.isEmpty {
                let next = bytes.prefix(count - read.count)
                read += next
                bytes = bytes.dropFirst(next.count)
            } else if var part = body.take() {
                let next = try part.read(upTo: count - read.count)
                if next.isEmpty { continue }
                read += next
                body = part
                // Others may have to be waited for.
                if part.isStream { return read }
            } else if let piece = rest.popFirst() {
                switch piece {
                case .bytes(let data): bytes = data
                case .body(let part): body = try PartReader(part)
                }
            } else {
                return read
            }
        }
        return read
    }
}
