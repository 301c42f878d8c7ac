import TestSupport
import Testing

@testable import BatchFetch

/// Decompression of gzip data in pieces, and its record of complete members.
@Suite(.timeLimit(.minutes(10))) struct GzipDecoderTests {
    /// What a decoder has returned.
    private struct Decoded {
        var pieces: [[UInt8]] = []
        var isComplete = false
        var endOfLastMember: Int64 = -1
        var failure: BatchFailure?

        var bytes: [UInt8] { Array(pieces.joined()) }
    }

    /// Decodes bytes that arrive in pieces of one size, until `most` pieces are taken.
    private func decode(_ bytes: [UInt8], piece: Int = .max, most: Int = .max) -> Decoded {
        var decoded = Decoded()
        guard var decoder = GzipDecoder() else {
            Issue.record("there is no memory")
            return decoded
        }
        var rest = bytes[...]
        do throws(BatchFailure) {
            while !rest.isEmpty {
                let part = Array(rest.prefix(piece))
                rest = rest.dropFirst(piece)
                try decoder.decode(part) {
                    decoded.pieces.append($0)
                    return decoded.pieces.count < most
                }
            }
        } catch {
            decoded.failure = error
        }
        decoded.isComplete = decoder.isComplete
        decoded.endOfLastMember = decoder.endOfLastMember
        return decoded
    }

    @Test("Optional header fields and empty members are skipped", arguments: [1, 3, .max])
    func optionalFieldsAreSkipped(size: Int) {
        let parts = [
            StoredGzip.member(Array("one".utf8), name: "list.txt"), StoredGzip.member([]),
            StoredGzip.member(Array("two".utf8), extra: [0x42, 0x43, 2, 0, 0x1F, 0x8B]),
            StoredGzip.member(Array("three".utf8), extra: [], name: ""), StoredGzip.member([]),
        ]
        let packed = Array(parts.joined())
        let decoded = decode(packed, piece: size)
        #expect(decoded.failure == nil && decoded.isComplete)
        #expect(decoded.bytes == Array("onetwothree".utf8))
        #expect(decoded.endOfLastMember == Int64(packed.count))
    }

    @Test(
        "The content before damaged bytes is decoded, for pieces of any size",
        arguments: [1, 7, .max]
    )
    func contentBeforeDamageIsDecoded(size: Int) {
        let line = Array("one line\n".utf8)
        var packed = Array(StoredGzip.member(line).dropLast(8))
        // The block isn't the last one, and the next one has an invalid type.
        packed[packed.count - line.count - 5] = 0
        let decoded = decode(packed + [7], piece: size)
        #expect(decoded.failure?.message.contains("invalid block type") == true)
        #expect(decoded.bytes == line)
    }

    @Test("Content that arrives together with a wrong checksum isn't delivered")
    func contentWithAWrongChecksumIsNotPassedOn() {
        var packed = StoredGzip.member(Array("one line\n".utf8))
        packed[packed.count - 8] ^= 1
        let decoded = decode(packed)
        #expect(decoded.failure?.message.contains("incorrect data check") == true)
        #expect(decoded.bytes.isEmpty)
    }

    @Test("Content that looks like gzip members isn't decoded a second time")
    func contentMayLookLikeAMember() {
        let inner = StoredGzip.member("text")
        for size in [1, .max] {
            let decoded = decode(StoredGzip.member(inner + inner), piece: size)
            #expect(decoded.bytes == inner + inner && decoded.isComplete)
        }
    }

    @Test("A decoded piece has at most 64 KiB, even if a few bytes expand to more")
    func pieceHasAMaximumLength() async throws {
        let text = Compression.text(200_000)
        let ofStored = decode(StoredGzip.member(text))
        #expect(ofStored.bytes == text)
        #expect(ofStored.pieces.allSatisfy { $0.count <= 64 * 1024 })
        let same = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000)
        let packed = try await Compression.compressed(same, "gzip")
        #expect(packed.count < 5000)
        let decoded = decode(packed)
        #expect(decoded.bytes == same && decoded.isComplete)
        #expect(decoded.pieces.allSatisfy { $0.count <= 64 * 1024 })
        #expect(decode(packed, most: 3).pieces.count == 3)
    }

    @Test(
        "A truncated list has the offset where its last complete member ends",
        arguments: [1, 5, .max]
    )
    func endOfLastMemberIsKnownAfterACut(size: Int) {
        let one = StoredGzip.member("one\n"), two = StoredGzip.member("two\n")
        let ends = [one.count, one.count + two.count]
        for count in 0...ends[1] {
            let decoded = decode(Array((one + two).prefix(count)), piece: size)
            let end = ends.last { $0 <= count } ?? 0
            #expect(decoded.failure == nil)
            #expect(decoded.endOfLastMember == Int64(end), "\(count) bytes")
            #expect(decoded.isComplete == ends.contains(count), "\(count) bytes")
        }
    }

    @Test(
        "A damaged list has the offset where its last complete member ends",
        arguments: [1, .max]
    )
    func endOfLastMemberIsKnownAfterDamage(size: Int) {
        let whole = StoredGzip.member("one\n")
        var damaged = StoredGzip.member("two\n")
        damaged[damaged.count - 5] ^= 1
        for rest in [damaged, [0x1F, 0], [1], [0, 0, 1], Array("text".utf8)] {
            let decoded = decode(whole + rest, piece: size)
            #expect(decoded.failure?.code == .input, "\(rest)")
            #expect(decoded.endOfLastMember == Int64(whole.count), "\(rest)")
            #expect(decoded.bytes.starts(with: Array("one\n".utf8)))
        }
    }

    @Test("Zeros after the last member don't belong to it")
    func zerosDoNotBelongToAMember() {
        let whole = StoredGzip.member("one\n")
        for size in [1, 100, .max] {
            let padded = whole + [UInt8](repeating: 0, count: 1000)
            let decoded = decode(padded, piece: size)
            #expect(decoded.failure == nil && decoded.isComplete)
            #expect(decoded.endOfLastMember == Int64(whole.count))
            let further = decode(padded + whole, piece: size)
            #expect(further.failure?.message == "other data follows its gzip data")
        }
    }

    @Test(
        "A damaged byte is an error with its reason",
        arguments: [
            (1, 0x8C, "incorrect header check"), (2, 7, "unknown compression method"),
            (3, 0xE0, "unknown header flags set"), (10, 7, "invalid block type"),
            (11, 0xFF, "invalid stored block lengths"), (15, 0, "incorrect data check"),
            (19, 0, "incorrect data check"), (23, 0, "incorrect length check"),
        ] as [(Int, UInt8, String)],
        [1, .max]
    )
    func damagedByteHasItsReason(damage: (place: Int, value: UInt8, reason: String), size: Int) {
        // The header has 10 bytes, the block's header 5, the content 4, each sum 4.
        var member = StoredGzip.member("text")
        #expect(member.count == 27 && decode(member).isComplete)
        member[damage.place] = damage.value
        for before in [[], StoredGzip.member("before")] {
            let decoded = decode(before + member, piece: size)
            #expect(decoded.failure?.code == .input)
            #expect(decoded.failure?.message == "its gzip data is damaged: \(damage.reason)")
            #expect(!decoded.isComplete)
        }
    }

    @Test("An empty input is not a complete gzip file")
    func nothingIsCompleteAtFirst() {
        let decoded = decode([])
        #expect(!decoded.isComplete && decoded.endOfLastMember == 0)
    }
}
