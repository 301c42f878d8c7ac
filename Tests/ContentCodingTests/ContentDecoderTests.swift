import TestSupport
import Testing

@testable import ContentCoding

@Suite(.timeLimit(.minutes(10))) struct ContentDecoderTests {
    /// Decodes in pieces of `piece` bytes, with room for `room` bytes of output at once.
    private func decode(
        _ bytes: [UInt8],
        _ codings: String...,
        piece: Int = .max,
        room: Int = 4096
    ) throws -> (text: [UInt8], isComplete: Bool) {
        let decoder = try #require(ContentDecoder(codings))
        var text: [UInt8] = []
        var start = 0
        repeat {
            let part = Array(bytes[start...].prefix(piece))
            start += part.count
            var progress = ContentDecoder.Progress()
            var taken = 0
            repeat {
                try text.append(addingCapacity: room) { output throws(DecodingFailure) in
                    let rest = part.span.extracting(taken...)
                    progress = try decoder.decode(rest, into: &output)
                }
                taken += progress.taken
            } while !progress.isDrained
            #expect(taken == part.count)
        } while start < bytes.count
        return (text, decoder.isComplete)
    }

    // MARK: Whole content

    @Test(arguments: CompressedSample.all, [1, 2, 7, .max])
    func contentInPiecesIsDecoded(_ sample: CompressedSample, _ piece: Int) throws {
        for room in [1, 10, 4096] {
            let (text, isComplete) = try decode(
                sample.bytes,
                sample.coding,
                piece: piece,
                room: room
            )
            #expect(text == CompressedSample.text)
            #expect(isComplete)
        }
    }

    @Test func codingsAreDecodedInReverseOrder() throws {
        // A stored block of deflate contains the gzip member.
        let inner = CompressedSample.gzip.bytes
        let length = UInt8(inner.count)
        let outer: [UInt8] = [1, length, 0, ~length, 0xff] + inner
        for codings in ["gzip, deflate", "x-gzip ,, IDENTITY,Deflate"] {
            for piece in [1, .max] {
                let (text, isComplete) = try decode(outer, codings, piece: piece, room: 5)
                #expect(text == CompressedSample.text)
                #expect(isComplete)
            }
        }
        let (text, _) = try decode(outer, "gzip", "deflate")
        #expect(text == CompressedSample.text)
    }

    /// The outer coding yields no bytes for more calls in a row than the inner decoder tolerates.
    @Test(arguments: CompressedSample.all)
    func outerBytesWithoutContentAreAccepted(_ sample: CompressedSample) throws {
        func block(_ bytes: ArraySlice<UInt8>, isLast: Bool = false) -> [UInt8] {
            let length = UInt8(bytes.count)
            return [isLast ? 1 : 0, length, 0, ~length, 0xff] + bytes
        }
        let empty = Array(repeatElement(block([]), count: 20).joined())
        let outer =
            block(sample.bytes.prefix(30)) + empty + block(sample.bytes.dropFirst(30), isLast: true)
        let (text, isComplete) = try decode(outer, sample.coding, "deflate", piece: 1)
        #expect(text == CompressedSample.text)
        #expect(isComplete)
    }

    @Test(arguments: [CompressedSample.gzip, .zstandard])
    func concatenatedStreamsAreDecoded(_ sample: CompressedSample) throws {
        for piece in [1, 60, .max] {
            let (text, isComplete) = try decode(
                sample.bytes + sample.bytes,
                sample.coding,
                piece: piece
            )
            #expect(text == CompressedSample.text + CompressedSample.text)
            #expect(isComplete)
        }
    }

    @Test func gzipMayBeFollowedByZeros() throws {
        let (text, isComplete) = try decode(CompressedSample.gzip.bytes + [0, 0, 0], "gzip")
        #expect(text == CompressedSample.text)
        #expect(isComplete)
    }

    @Test func bareDeflateMayBeFollowedByAChecksum() throws {
        let bytes = CompressedSample.deflate.bytes
        #expect(try decode(bytes + [1, 2, 3, 4], "deflate").isComplete)
        #expect(throws: DecodingFailure.self) { try decode(bytes + [1, 2, 3, 4, 5], "deflate") }
    }

    @Test(arguments: CompressedSample.all)
    func emptyInputHasNoContent(_ sample: CompressedSample) throws {
        let (text, isComplete) = try decode([], sample.coding)
        #expect(text.isEmpty)
        #expect(isComplete)
    }

    // MARK: Truncated, damaged or excessive content

    @Test(arguments: CompressedSample.all)
    func truncatedContentIsIncomplete(_ sample: CompressedSample) throws {
        for count in 1..<sample.bytes.count {
            let (text, isComplete) = try decode(Array(sample.bytes.prefix(count)), sample.coding)
            #expect(!isComplete, "\(count)")
            #expect(text == Array(CompressedSample.text.prefix(text.count)))
        }
    }

    @Test func truncatedInnerContentIsIncomplete() throws {
        let inner = Array(CompressedSample.gzip.bytes.dropLast())
        let length = UInt8(inner.count)
        let (text, isComplete) = try decode(
            [1, length, 0, ~length, 0xff] + inner,
            "gzip, deflate"
        )
        #expect(text == CompressedSample.text)
        #expect(!isComplete)
    }

    @Test(arguments: CompressedSample.all.filter { $0.title != "bare deflate" })
    func bytesAfterEndAreAnError(_ sample: CompressedSample) throws {
        for piece in [1, .max] {
            #expect(throws: DecodingFailure.self) {
                try decode(sample.bytes + [7, 7, 7, 7, 7], sample.coding, piece: piece)
            }
        }
    }

    /// The checksums of gzip, zlib and Zstandard detect damage at every place.
    @Test(arguments: [CompressedSample.gzip, .zlib, .zstandard])
    func damagedContentIsNeverComplete(_ sample: CompressedSample) throws {
        for place in sample.bytes.indices {
            var bytes = sample.bytes
            bytes[place] ^= 0x10
            let result = try? decode(bytes, sample.coding)
            guard let result, result.isComplete else { continue }
            #expect(result.text == CompressedSample.text, "\(place)")
        }
    }

    @Test func zstandardWindowBeyond8MegabytesIsRefused() throws {
        var bytes = CompressedSample.zstandard.bytes
        bytes[5] = 0x88  // A window of 128 MB (RFC 8878, section 3.1.1.1.2).
        #expect(throws: DecodingFailure.self) { try decode(bytes, "zstd") }
    }

    /// Frames of Zstandard 0.7, which libraries may still decode, have windows of up to 128 MB.
    @Test(arguments: [1, .max])
    func zstandardFrameOfOldFormatIsRefused(_ piece: Int) throws {
        let content = Array("hello".utf8)
        let old: [UInt8] = [0x27, 0xb5, 0x2f, 0xfd, 0, 0x88, 0x40, 0, 5] + content + [0xc0, 0, 0]
        for start in [[], CompressedSample.zstandard.bytes] {
            #expect(throws: DecodingFailure.self) {
                try decode(start + old, "zstd", piece: piece)
            }
        }
    }

    @Test func skippableZstandardFramesAreSkipped() throws {
        let frame: [UInt8] = [0x5f, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 7, 7, 7]
        for piece in [1, .max] {
            let bytes = frame + CompressedSample.zstandard.bytes + frame
            let (text, isComplete) = try decode(bytes, "zstd", piece: piece)
            #expect(text == CompressedSample.text)
            #expect(isComplete)
        }
    }

    @Test func moreThanFiveCodingsAreRefused() throws {
        let five = repeatElement("gzip", count: 5).joined(separator: ",")
        #expect(try decode([0x1f], five).isComplete == false)
        #expect(throws: DecodingFailure.self) { try decode([0x1f], five, "gzip") }
    }

    @Test func unknownCodingIsNamed() throws {
        let failure = #expect(throws: DecodingFailure.self) { try decode([1], "rot13") }
        #expect(failure?.reason.contains("\"rot13\"") == true)
    }

    @Test func contentWithoutACodingNeedsNoDecoder() {
        #expect(ContentDecoder([]) == nil)
        #expect(ContentDecoder(["identity", " , none"]) == nil)
    }

    /// A few bytes expand to many in the inner coding, and to none in the end.
    @Test func decodingWithoutOutputIsDoneInSteps() throws {
        // A gzip member without content, compressed so that a few bytes expand to a thousand
        // members.
        let empty: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let inner = Array(repeatElement(empty, count: 120_000).joined())
        let decoder = try #require(ContentDecoder(["gzip", "deflate"]))
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: inner.count, by: 60_000) {
            let block = inner[start..<min(start + 60_000, inner.count)]
            let size = [UInt8(block.count & 255), UInt8(block.count >> 8)]
            let isLast: UInt8 = block.endIndex == inner.count ? 1 : 0
            bytes += [isLast] + size + size.map { ~$0 } + block
        }
        var taken = 0
        var calls = 0
        var progress = ContentDecoder.Progress()
        repeat {
            var output: [UInt8] = []
            try output.append(addingCapacity: 100) { output throws(DecodingFailure) in
                progress = try decoder.decode(bytes.span.extracting(taken...), into: &output)
            }
            #expect(output.isEmpty)
            #expect(progress.work <= 256 << 10)
            taken += progress.taken
            calls += 1
        } while !progress.isDrained
        #expect(calls >= 8)
        #expect(decoder.isComplete)
    }
}
