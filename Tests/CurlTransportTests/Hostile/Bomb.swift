/// Compressed bytes that expand beyond measure. Source: RFC 1951 and RFC 1952.
enum Bomb {
    private static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]

    /// A deflate block whose codes are one bit long: a zero, and then a run of 258 more for each
    /// two bits that are clear, so that a byte of zero stands for 1,032 of them.
    private static let zeros: [UInt8] = [
        0xec, 0xc1, 0x01, 0x01, 0, 0, 0, 0x80, 0x90, 0xfe, 0xaf, 0xee, 0x08, 0x0a,
    ]

    /// Zeros without end, if zeros without end follow.
    static let gzip = header + zeros

    /// The same in gzip once more: a stored block for the start of the inner one, then its zeros.
    static let nested =
        header + [0, UInt8(gzip.count), 0, ~UInt8(gzip.count), 0xff] + gzip + zeros

    /// "hello", whole.
    static let hello = stored(checkSum: [0x86, 0xa6, 0x10, 0x36])

    /// "hello" with a check sum that isn't its own.
    static let damaged = stored(checkSum: [1, 2, 3, 4])

    private static func stored(checkSum: [UInt8]) -> [UInt8] {
        header + [1, 5, 0, 0xfa, 0xff] + Array("hello".utf8) + checkSum + [5, 0, 0, 0]
    }
}
