/// The bytes that HTTP's grammar is made of.
enum ASCII {
    static var tab: UInt8 { 0x09 }
    static var lineFeed: UInt8 { 0x0a }
    static var carriageReturn: UInt8 { 0x0d }
    static var space: UInt8 { 0x20 }
    static var dot: UInt8 { 0x2e }
    static var colon: UInt8 { 0x3a }
}

extension UInt8 {
    /// Whether this may be in a field name. Source: RFC 9110, section 5.6.2.
    var isTokenByte: Bool {
        // One bit for each ASCII byte: letters, digits and !#$%&'*+-.^_`|~
        let low: UInt64 = 0x03ff_6cfa_0000_0000
        let high: UInt64 = 0x57ff_ffff_c7ff_fffe
        return self < 128 && (self < 64 ? low : high) >> UInt64(self & 63) & 1 == 1
    }

    var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }

    var isLineEnd: Bool { self == ASCII.lineFeed || self == ASCII.carriageReturn }

    /// The byte in lower case, if it is an ASCII letter.
    var lowercasedASCII: UInt8 { self >= 0x41 && self <= 0x5a ? self | 0x20 : self }
}
