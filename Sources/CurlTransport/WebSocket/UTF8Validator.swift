internal import Curl

/// Checks UTF-8 that comes in pieces, and refuses it at the first byte that can't be part of any.
/// Source: RFC 3629, section 4.
struct UTF8Validator: Sendable {
    /// How many bytes of a character are still to come, and what the next of them may be.
    private var missing = 0
    private var next: ClosedRange<UInt8> = 0x80...0xBF

    /// Whether no character is incomplete.
    var isComplete: Bool { missing == 0 }

    /// Takes the next piece. False if it can't be: the validator is then of no more use.
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

    /// The first byte of a character that isn't ASCII. It rules out long forms, surrogates, and what
    /// lies beyond Unicode, some with the help of the second byte.
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
