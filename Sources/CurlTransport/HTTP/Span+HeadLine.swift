internal import HTTPSemantics

// Classifies the lines of a response head by as few bytes as possible.
// Source: RFC 9112, sections 4 and 5.

extension Span<UInt8> {
    /// Whether the line consists only of a line end.
    var isBlankLine: Bool {
        switch count {
        case 0: true
        case 1: self[0] == ASCII.lineFeed
        case 2: self[0] == ASCII.carriageReturn && self[1] == ASCII.lineFeed
        default: false
        }
    }

    /// Whether this continues the field of the previous line.
    var isFolded: Bool {
        !isEmpty && (self[0] == ASCII.space || self[0] == ASCII.tab)
    }

    /// The length of the field name before the colon; zero if there is none.
    var fieldNameLength: Int {
        var index = 0
        while index < count, self[index].isTokenByte { index += 1 }
        return index < count && self[index] == ASCII.colon ? index : 0
    }

    /// The status code, from 100 to 999, if this is a status line; otherwise nil.
    ///
    /// The form is `HTTP/`, a version, a space, three digits.
    var statusOfStatusLine: Int? {
        guard count >= 10, self[0] == 0x48, self[1] == 0x54, self[2] == 0x54, self[3] == 0x50,
            self[4] == 0x2f, self[5].isASCIIDigit
        else { return nil }
        var index = 6
        if self[index] == ASCII.dot {
            guard self[index + 1].isASCIIDigit else { return nil }
            index += 2
        }
        guard index + 3 < count, self[index] == ASCII.space else { return nil }
        var status = 0
        for digit in (index + 1)...(index + 3) {
            guard self[digit].isASCIIDigit else { return nil }
            status = status * 10 + Int(self[digit] & 15)
        }
        if index + 4 < count {
            let next = self[index + 4]
            guard next == ASCII.space || next.isLineEnd else { return nil }
        }
        return status >= 100 ? status : nil
    }
}
