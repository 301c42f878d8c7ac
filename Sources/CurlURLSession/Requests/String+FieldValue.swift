internal import HTTPSemantics

extension String {
    /// Whether a request takes the text as a field's value.
    ///
    /// It does unless the text has a NUL, or a line end that doesn't fold the line. A line is
    /// folded by CR, LF, and a space or tab (RFC 9112, 5.2).
    package var isFieldValue: Bool {
        // A span: an iterator takes several times as long, and requests have many such bytes.
        let bytes = utf8.span
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            guard byte <= ASCII.carriageReturn else { continue }
            switch byte {
            case 0, ASCII.lineFeed:
                return false
            case ASCII.carriageReturn:
                guard index + 1 < bytes.count, bytes[index] == ASCII.lineFeed,
                    bytes[index + 1] == ASCII.space || bytes[index + 1] == ASCII.tab
                else { return false }
                index += 2
            default:
                break
            }
        }
        return true
    }

    /// The value with a space instead of each fold, as it is sent. `nil` if no line is folded, and
    /// if the text isn't a field's value.
    var unfoldedFieldValue: String? {
        guard utf8.contains(ASCII.carriageReturn), isFieldValue else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        var isInFold = false
        for byte in utf8 {
            switch byte {
            case ASCII.carriageReturn:
                while bytes.last == ASCII.space || bytes.last == ASCII.tab { bytes.removeLast() }
                isInFold = true
            case ASCII.lineFeed,
                ASCII.space where isInFold, ASCII.tab where isInFold:
                break
            default:
                if isInFold, !bytes.isEmpty { bytes.append(ASCII.space) }
                isInFold = false
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
