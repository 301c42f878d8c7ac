/// What a head says about the body that follows it.
///
/// libcurl takes the last of several lengths, and the number that a length begins with. Whoever
/// stands between may have taken another, and then sees the end of the response elsewhere: so what
/// isn't plain is an error. Source: RFC 9112, section 6.3.
struct ResponseFraming: Equatable {
    /// The body's length; nil where it ends with the last chunk or with the connection.
    private(set) var length: Int64?
    /// The body is compressed, or coded in another way.
    private(set) var isEncoded = false

    init(of head: ResponseHead) throws(TransportError) {
        let lines = FieldLines(head.bytes)
        var isChunked = false
        var lengths: [Range<Int>] = []
        for field in lines {
            switch field.name.count {
            case 14 where lines.isNamed("content-length", field):
                lengths.append(field.value)
            case 16 where lines.isNamed("content-encoding", field):
                isEncoded = true
            case 17 where lines.isNamed("transfer-encoding", field):
                isChunked = true
            default:
                break
            }
        }
        // Chunks override a length.
        guard !isChunked else { return }
        for value in lengths {
            for text in head.bytes[value].split(separator: UInt8(ascii: ",")) {
                let next = try Self.length(text)
                guard length == nil || length == next else {
                    throw .invalidResponse("the response announces two lengths that differ")
                }
                length = next
            }
        }
    }

    private static func length(_ text: ArraySlice<UInt8>) throws(TransportError) -> Int64 {
        let digits = text.drop { $0 == ASCII.space || $0 == ASCII.tab }
            .prefix { $0 != ASCII.space && $0 != ASCII.tab }
        guard digits.allSatisfy(\.isASCIIDigit),
            let length = Int64(String(decoding: digits, as: UTF8.self))
        else {
            throw .invalidResponse("the response announces a length that is no plain number")
        }
        return length
    }
}
