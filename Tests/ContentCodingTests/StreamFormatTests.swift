import TestSupport
import Testing

@testable import ContentCoding

/// The formats of compressed streams: their headers, blocks and checksums.
@Suite(.timeLimit(.minutes(10))) struct StreamFormatTests {
    /// Decodes a whole stream in pieces of one size; returns the text and whether it is complete.
    private func decode(
        _ bytes: [UInt8],
        _ coding: String,
        piece: Int = .max
    ) throws(DecodingFailure) -> (text: [UInt8], isComplete: Bool) {
        guard let decoder = ContentDecoder([coding]) else { return (bytes, true) }
        var text: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let part = Array(rest.prefix(piece))
            rest = rest.dropFirst(piece)
            var taken = 0
            var isDrained = false
            repeat {
                try text.append(addingCapacity: 100) { output throws(DecodingFailure) in
                    let input = part.span.extracting(taken...)
                    let progress = try decoder.decode(input, into: &output)
                    taken += progress.taken
                    isDrained = progress.isDrained
                }
            } while !isDrained
        } while !rest.isEmpty
        return (text, decoder.isComplete)
    }

    private func reason(_ bytes: [UInt8], _ coding: String, piece: Int = .max) -> String? {
        do throws(DecodingFailure) {
            _ = try decode(bytes, coding, piece: piece)
            return nil
        } catch {
            return error.reason
        }
    }

    // MARK: gzip (RFC 1952)

    private static let flags: [(String, UInt8, [UInt8])] = [
        ("none", 0, []), ("FTEXT", 1, []), ("FEXTRA", 4, [3, 0, 7, 8, 9]),
        ("an empty FEXTRA", 4, [0, 0]), ("FNAME", 8, Array("file.txt".utf8) + [0]),
        ("an empty FNAME", 8, [0]), ("FCOMMENT", 16, Array("a comment".utf8) + [0]),
        ("FEXTRA, FNAME and FCOMMENT", 28, [1, 0, 5, 0x61, 0, 0x62, 0]),
    ]

    @Test("Optional fields of a gzip header are skipped", arguments: flags, [1, 5, .max])
    func optionalPartsOfAGzipHeaderAreSkipped(
        header: (name: String, flags: UInt8, parts: [UInt8]),
        piece: Int
    ) throws {
        let member =
            [0x1f, 0x8b, 8, header.flags, 1, 2, 3, 4, 0, 255] + header.parts
            + CompressedSample.gzip.bytes.dropFirst(10)
        let (text, isComplete) = try decode(member, "gzip", piece: piece)
        #expect(text == CompressedSample.text)
        #expect(isComplete)
    }

    @Test(
        "A gzip member with a wrong header is damaged",
        arguments: [(0, 0x1e), (1, 0x8a), (2, 7), (3, 0xe0)] as [(Int, UInt8)]
    )
    func wrongGzipHeaderIsDamaged(place: Int, byte: UInt8) {
        var bytes = CompressedSample.gzip.bytes
        bytes[place] = byte
        let found = reason(bytes, "gzip")
        #expect(found?.hasPrefix("it is damaged (") == true, "\(found ?? "no failure")")
    }

    @Test("The checksum and the length at the end of a gzip member must be right")
    func checksumAndLengthMustBeRight() {
        let count = CompressedSample.gzip.bytes.count
        for place in (count - 8)..<count {
            var bytes = CompressedSample.gzip.bytes
            bytes[place] ^= 1
            for piece in [1, .max] {
                let expected = place < count - 4 ? "incorrect data check" : "incorrect length check"
                #expect(reason(bytes, "gzip", piece: piece) == "it is damaged (\(expected))")
            }
        }
    }

    @Test("A gzip member after padding, and other bytes, are an error")
    func bytesAfterPaddingAreAnError() throws {
        let member = CompressedSample.gzip.bytes
        #expect(reason(member + [0] + member, "gzip") == "something follows its end")
        #expect(reason(member + [0x20], "gzip") == "something follows its end")
        #expect(reason(member + [0x1f, 0x20], "gzip")?.hasPrefix("it is damaged (") == true)
        // The first byte of a member that is cut off.
        #expect(try decode(member + [0x1f], "gzip").isComplete == false)
    }

    // MARK: zlib and deflate (RFC 1950 and 1951)

    @Test(
        "Blocks of each type of RFC 1951 are decoded",
        arguments: [
            ("nothing in a fixed block", [3, 0], ""),
            ("a stored block", [1, 1, 0, 254, 255, 65], "A"),
            ("an empty stored block", [1, 0, 0, 255, 255], ""),
            ("two stored blocks", [0, 1, 0, 254, 255, 65, 1, 1, 0, 254, 255, 66], "AB"),
            ("a fixed block", [0x73, 4, 0], "A"),
            ("a repeated byte in a fixed block", [0x73, 0x84, 1, 0], "AAAAAAAAA"),
        ] as [(String, [UInt8], String)],
        [1, .max]
    )
    func blocksOfEachTypeAreDecoded(block: (String, [UInt8], String), piece: Int) throws {
        let (text, isComplete) = try decode(block.1, "deflate", piece: piece)
        #expect(String(decoding: text, as: UTF8.self) == block.2)
        #expect(isComplete)
    }

    @Test(
        "A block that breaks the rules of RFC 1951 is damaged",
        arguments: [
            ([7, 0], "invalid block type"), ([1, 1, 0, 0, 0], "invalid stored block lengths"),
            ([4, 255, 206], "too many length or distance symbols"),
            ([4, 38, 72, 110], "invalid code lengths set"),
            ([4, 25, 162, 13], "invalid bit length repeat"),
            ([26, 251], "invalid literal/length code"), ([2, 255], "invalid distance code"),
            ([3, 17], "invalid distance too far back"),
        ] as [([UInt8], String)],
        [1, .max]
    )
    func blockThatBreaksTheRulesIsDamaged(block: ([UInt8], String), piece: Int) {
        let found = reason(block.0, "deflate", piece: piece)
        #expect(found == "it is damaged (\(block.1))", "\(found ?? "no failure")")
    }

    @Test("The first two bytes distinguish zlib's frame from bare deflate")
    func frameIsRecognisedByTwoBytes() throws {
        let bare = CompressedSample.deflate.bytes
        let checksum = CompressedSample.zlib.bytes.suffix(4)
        // Every compression level and window of RFC 1950, 2.2, with a valid check.
        for window: UInt8 in 1...7 {
            for level: UInt8 in 0...3 {
                let first = window << 4 | 8
                let rest = (Int(first) << 8 | Int(level) << 6) % 31
                let second = level << 6 | UInt8((31 - rest) % 31)
                guard second & 0x20 == 0 else { continue }
                let stream = [first, second] + bare + checksum
                #expect(try decode(stream, "deflate", piece: 1).isComplete, "\(window) \(level)")
            }
        }
    }

    @Test("zlib's frame with a dictionary, or with a wrong checksum, is damaged")
    func frameWithADictionaryIsDamaged() {
        // FDICT is set; the check of the two bytes is right.
        #expect(
            reason([0x78, 0xbb, 0, 0, 0, 1, 3, 0], "deflate")?.hasPrefix("it is damaged (") == true
        )
        var bytes = CompressedSample.zlib.bytes
        bytes[bytes.count - 1] ^= 1
        #expect(reason(bytes, "deflate") == "it is damaged (incorrect data check)")
    }

    @Test(
        "A single byte is an incomplete deflate stream",
        arguments: [0x78, 0x03, 0x00] as [UInt8]
    )
    func singleByteIsIncomplete(byte: UInt8) throws {
        let (text, isComplete) = try decode([byte], "deflate")
        #expect(text.isEmpty && !isComplete)
    }

    // MARK: Empty streams, and Zstandard (RFC 8878)

    @Test(
        "An empty stream of each coding is complete, and its content is empty",
        arguments: [
            ("gzip", [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
            ("deflate", [0x78, 0x9c, 3, 0, 0, 0, 0, 1]), ("deflate", [3, 0]), ("br", [6]),
            ("br", [0x3b]), ("zstd", [0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0]),
            ("zstd", [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0]),
        ] as [(String, [UInt8])],
        [1, .max]
    )
    func streamWithoutContentIsComplete(stream: (coding: String, bytes: [UInt8]), piece: Int) throws
    {
        let (text, isComplete) = try decode(stream.bytes, stream.coding, piece: piece)
        #expect(text.isEmpty && isComplete)
    }

    @Test("A window of exactly 8 MB is accepted, and a larger one refused")
    func windowIsLimited() throws {
        var bytes = CompressedSample.zstandard.bytes
        try #require(bytes[5] == 0x68, "the sample's window is 8 MB")
        #expect(try decode(bytes, "zstd").text == CompressedSample.text)
        bytes[5] = 0x69
        let found = reason(bytes, "zstd")
        #expect(found?.hasPrefix("it is damaged (") == true, "\(found ?? "no failure")")
    }

    @Test("Blocks of repeated and of uncompressed bytes are decoded")
    func rawAndRepeatedBlocksAreDecoded() throws {
        // One segment without a checksum: its size, and two blocks of 3 and 200 bytes.
        let header: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 203]
        let raw: [UInt8] = [3 << 3, 0, 0] + Array("abc".utf8)
        let repeated: [UInt8] = [200 << 3 & 255 | 3, 200 >> 5, 0, 0x7a]
        let frame = header + raw + repeated
        for piece in [1, 4, .max] {
            let (text, isComplete) = try decode(frame, "zstd", piece: piece)
            #expect(text == Array("abc".utf8) + [UInt8](repeating: 0x7a, count: 200))
            #expect(isComplete)
        }
        // The frame announces another size than its blocks have.
        var wrong = frame
        wrong[5] = 204
        #expect(reason(wrong, "zstd")?.hasPrefix("it is damaged (") == true)
    }

    @Test("Zstandard content with other bytes before or after a frame is damaged")
    func otherBytesBeginNoFrame() {
        let frame = CompressedSample.zstandard.bytes
        let expected = "it is damaged (a frame doesn't begin as one)"
        for first: UInt8 in [0, 0x1f, 0x27, 0x29, 0x4f, 0x60, 0xff] {
            #expect(reason([first] + frame, "zstd") == expected, "\(first)")
            #expect(reason(frame + [first], "zstd") == expected, "\(first)")
        }
    }

    @Test("The reason for a damaged Brotli stream is the library's error")
    func brotliReasonIsThatOfTheLibrary() {
        var bytes = CompressedSample.brotli.bytes
        bytes[0] = 0x11  // A window that RFC 7932, 9.1 doesn't allow.
        let found = reason(bytes, "br")
        #expect(
            found?.hasPrefix("it is damaged (") == true && found?.contains("WINDOW_BITS") == true
        )
        #expect(reason([6, 0], "br") == "something follows its end")
        #expect(reason([6, 0], "br", piece: 1) == "something follows its end")
    }
}
