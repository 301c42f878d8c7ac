/// A compressed body that expands without limit. Sources: RFC 1951, 1952, 7932 and 8878.
package struct Bomb: Sendable, CustomStringConvertible {
    /// The value of the `Content-Encoding` field.
    package let coding: String
    /// The first bytes.
    package let start: [UInt8]
    /// The bytes that follow, repeated endlessly.
    package let repetition: [UInt8]

    package var description: String { coding }

    /// Sends the response with this body.
    package var steps: [Step] {
        [
            .send("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n\r\n"), .send(start),
            .sendRepeating(repetition, times: nil),
        ]
    }

    package static let all = [gzip, nested, brotli, zstandard]

    // MARK: gzip

    private static let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]

    /// A deflate block with one-bit codes: each zero byte decodes to 1,032 zeros.
    ///
    /// It decodes to one zero and then, for each two clear bits, to a run of 258 more.
    private static let zeros: [UInt8] = [
        0xec, 0xc1, 0x01, 0x01, 0, 0, 0, 0x80, 0x90, 0xfe, 0xaf, 0xee, 0x08, 0x0a,
    ]

    private static let member = header + zeros

    /// Decodes to endless zeros.
    package static let gzip = Bomb(coding: "gzip", start: member, repetition: [0])

    /// The same, compressed with gzip twice.
    ///
    /// A stored block holds the start of the inner stream; the zeros of the inner stream follow.
    package static let nested = Bomb(
        coding: "gzip, gzip",
        start: header + [0, UInt8(member.count), 0, ~UInt8(member.count), 0xff] + member + zeros,
        repetition: [0]
    )

    // MARK: Others

    /// Each 13 bytes decode to 65,536 zeros. The window has 64 KiB.
    ///
    /// Made by libbrotlienc with a flush after each 65,536 zeros: a flush ends at a whole byte, and
    /// all but the first are equal.
    package static let brotli = Bomb(
        coding: "br",
        start: [0xf0, 0xff, 0x0f, 0x80, 0x04, 0x40, 0x3c, 0x16, 0x48, 0xee, 0x3d, 0x80, 0x01],
        repetition: [0xf8, 0xff, 0x07, 0x40, 0x02, 0x20, 0x0e, 0x0b, 0x40, 0xf7, 0x1e, 0xc0, 0x00]
    )

    /// Each block of 4 bytes repeats one byte 32,768 times. The window has 32 KiB.
    package static let zstandard = Bomb(
        coding: "zstd",
        start: [0x28, 0xb5, 0x2f, 0xfd, 0, 0x28],
        repetition: [2, 0, 4, 0]
    )
}
