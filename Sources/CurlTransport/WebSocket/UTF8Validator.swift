internal import Posix

/// Validates UTF-8 that arrives in pieces. Source: RFC 3629, section 4.
///
/// It fails at the first byte that can't be part of valid UTF-8.
struct UTF8Validator: Sendable {
    /// How many bytes of the current character are missing, and the valid range of the next one.
    private var missing = 0
    private var next: ClosedRange<UInt8> = 0x80...0xBF

    /// Whether the text so far ends at the end of a character.
    var isComplete: Bool { missing == 0 }

    /// Validates the next piece. After a result of false, the validator can't be used any more.
    mutating func take(_ bytes: Span<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            if missing == 0 {
                index = bytes.endOfASCII(from: index)
                guard index < bytes.count else { return true }
                guard begin(with: bytes[index]) else { return false }
            } else {
                guard next.contains(bytes[index]) else { return false }
                next = 0x80...0xBF
                missing -= 1
            }
            index += 1
        }
        return true
    }

    /// Starts a character with its first byte, which isn't ASCII. Together with the range of the
    /// second byte, this excludes overlong forms, surrogates and values beyond Unicode.
    private mutating func begin(with byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: (missing, next) = (1, 0x80...0xBF)
        case 0xE0: (missing, next) = (2, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE...0xEF: (missing, next) = (2, 0x80...0xBF)
        case 0xED: (missing, next) = (2, 0x80...0x9F)
        case 0xF0: (missing, next) = (3, 0x90...0xBF)
        case 0xF1...0xF3: (missing, next) = (3, 0x80...0xBF)
        case 0xF4: (missing, next) = (3, 0x80...0x8F)
        default: return false
        }
        return true
    }
}
