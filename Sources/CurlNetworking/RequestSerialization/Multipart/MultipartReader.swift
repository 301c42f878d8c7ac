internal import Foundation

/// Reads a multipart form in pieces of any size.
struct MultipartReader {
    private var rest: ArraySlice<MultipartContent.Piece>
    private var bytes = Data()
    private var body: PartReader?

    init(_ content: MultipartContent) {
        rest = content.pieces[...]
    }

    /// Closes the open part. Later reads return no bytes.
    mutating func stop() {
        body?.close()
        (rest, bytes, body) = ([], Data(), nil)
    }

    /// Reads up to `count` bytes.
    ///
    /// It returns fewer bytes if a stream has no more yet, and none at the end.
    ///
    /// - Throws: The error of a file or stream. Nothing more may be sent then.
    mutating func read(upTo count: Int) throws -> [UInt8] {
        var read: [UInt8] = []
        while read.count < count {
            if !bytes.isEmpty {
                let next = bytes.prefix(count - read.count)
                read += next
                bytes = bytes.dropFirst(next.count)
            } else if let next = try body?.read(upTo: count - read.count), !next.isEmpty {
                read += next
                // Another read could block until the stream has more bytes.
                if body?.isStream ?? false { return read }
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
