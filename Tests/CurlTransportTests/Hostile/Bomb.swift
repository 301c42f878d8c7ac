/// Compressed bytes that expand without limit. Source: RFC 1951 and RFC 1952.
enum Bomb {
    private static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]

    /// A deflate block with one-bit codes: each zero byte decodes to 1,032 zeros.
    ///
    /// It decodes to one zero and then, for each two clear bits, to a run of 258 more.
    private static let zeros: [UInt8] = [
        0xec, 0xc1, 0x01, 0x01, 0, 0, 0, 0x80, 0x90, 0xfe, 0xaf, 0xee, 0x08, 0x0a,
    ]

    /// Decodes to endless zeros if endless zero bytes follow.
    static let gzip = header + zeros

    /// The same, compressed with gzip twice.
    ///
    /// A stored block holds the start of the inner stream; the zeros of the inner stream follow.
    static let nested =
        header + [0, UInt8(gzip.count), 0, ~UInt8(gzip.count), 0xff] + gzip + zeros

    /// "hello", complete.
    static let hello = stored(checkSum: [0x86, 0xa6, 0x10, 0x36])

    /// "hello" with a wrong checksum.
    static let damaged = stored(checkSum: [1, 2, 3, 4])

    private static func stored(checkSum: [UInt8]) -> [UInt8] {
        header + [1, 5, 0, 0xfa, 0xff] + Array("hello".utf8) + checkSum + [5, 0, 0, 0]
    }
}
