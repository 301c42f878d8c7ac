import TestSupport

/// A body that a server has in full and in parts, and what names it.
struct PartBody: Sendable {
    /// Random ones, so that no byte in the wrong place goes unnoticed.
    let bytes: [UInt8]
    var etag: String? = "\"1\""
    var lastModified: String?
    /// When the server answers, by its own clock.
    var date: String?
    var contentEncoding: String?

    /// When a body was changed.
    static let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
    /// Ten seconds later.
    static let tooSoon = "Sun, 06 Nov 1994 08:49:47 GMT"
    /// A minute and ten seconds later.
    static let lateEnough = "Sun, 06 Nov 1994 08:50:47 GMT"

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    init(count: Int, seed: UInt64 = 1) {
        var generator = SeededGenerator(seed: seed)
        // Word by word, and then copied: byte by byte takes seconds.
        var words: [UInt64] = []
        words.reserveCapacity(count / 8 + 1)
        while words.count * 8 < count { words.append(generator.next()) }
        bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            words.withUnsafeBytes { words in
                UnsafeMutableRawBufferPointer(buffer).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: words[..<count])
                )
            }
            initialized = count
        }
    }

    var count: Int { bytes.count }

    func with(etag: String?) -> PartBody {
        var body = self
        body.etag = etag
        return body
    }

    /// Named by its date alone, as it is at another one.
    func modified(asOf date: String) -> PartBody {
        var body = self
        (body.etag, body.lastModified, body.date) = (nil, Self.modified, date)
        return body
    }

    func encoded(_ coding: String) -> PartBody {
        var body = self
        body.contentEncoding = coding
        return body
    }

    /// The fields of a head that tell of it.
    var headers: [(String, String)] {
        let fields = [
            ("ETag", etag), ("Last-Modified", lastModified), ("Date", date),
            ("Content-Encoding", contentEncoding),
        ]
        return fields.compactMap { name, value in value.map { (name, $0) } }
    }

    /// Whether `If-Range` names this body.
    func fits(_ condition: String) -> Bool { condition == etag || condition == lastModified }
}

extension PartBody: CustomStringConvertible, CustomDebugStringConvertible {
    /// Without its bytes, which nobody would read.
    var description: String { "\(count) bytes, \(headers)" }
    var debugDescription: String { description }
}
