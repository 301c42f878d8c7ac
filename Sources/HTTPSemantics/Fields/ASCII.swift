/// Bytes of HTTP's grammar.
@usableFromInline package enum ASCII {
    @inlinable package static var tab: UInt8 { 0x09 }
    @inlinable package static var lineFeed: UInt8 { 0x0a }
    @inlinable package static var carriageReturn: UInt8 { 0x0d }
    @inlinable package static var space: UInt8 { 0x20 }
    @inlinable package static var dot: UInt8 { 0x2e }
    @inlinable package static var colon: UInt8 { 0x3a }
}

extension UInt8 {
    /// Whether the byte may be in a field name (RFC 9110, 5.6.2).
    @inlinable package var isTokenByte: Bool {
        // One bit for each ASCII byte: letters, digits and !#$%&'*+-.^_`|~
        let low: UInt64 = 0x03ff_6cfa_0000_0000
        let high: UInt64 = 0x57ff_ffff_c7ff_fffe
        return self < 128 && (self < 64 ? low : high) >> UInt64(self & 63) & 1 == 1
    }

    @inlinable package var isLineEnd: Bool { self == 0x0a || self == 0x0d }

    @inlinable package var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }

    @inlinable package var isASCIILetter: Bool {
        lowercasedASCII >= 0x61 && lowercasedASCII <= 0x7a
    }

    /// Whether the byte is an unreserved character of a URL (RFC 3986, 2.3).
    @inlinable package var isUnreserved: Bool {
        // `-`, `.`, `_` and `~`
        isASCIILetter || isASCIIDigit || self == 0x2d || self == 0x2e || self == 0x5f
            || self == 0x7e
    }

    /// The byte in lower case, if it is an ASCII letter.
    @inlinable package var lowercasedASCII: UInt8 {
        self >= 0x41 && self <= 0x5a ? self | 0x20 : self
    }

    /// The value of a hexadecimal digit; `nil` for other bytes.
    @inlinable package var hexadecimalValue: UInt8? {
        switch lowercasedASCII {
        case 0x30...0x39: self - 0x30
        case 0x61...0x66: lowercasedASCII - 0x61 + 10
        default: nil
        }
    }
}
