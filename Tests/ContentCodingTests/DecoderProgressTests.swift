import TestSupport
import Testing

@testable import ContentCoding

/// What a decoder consumes and delivers, and which codings it knows.
@Suite(.timeLimit(.minutes(10))) struct DecoderProgressTests {
    /// One call of a decoder with a limited output.
    private func step(
        _ decoder: ContentDecoder,
        _ bytes: [UInt8],
        room: Int
    ) throws -> (progress: ContentDecoder.Progress, text: [UInt8]) {
        var progress = ContentDecoder.Progress()
        var text: [UInt8] = []
        try text.append(addingCapacity: room) { output throws(DecodingFailure) in
            progress = try decoder.decode(bytes.span, into: &output)
        }
        return (progress, text)
    }

    @Test("A decoder without room for output loses no content", arguments: CompressedSample.all)
    func nothingIsLostWithoutRoom(_ sample: CompressedSample) throws {
        let decoder = try #require(ContentDecoder([sample.coding]))
        var rest = sample.bytes
        for _ in 0..<3 {
            let (progress, text) = try step(decoder, rest, room: 0)
            #expect(!progress.isDrained && text.isEmpty)
            rest.removeFirst(progress.taken)
        }
        let (progress, text) = try step(decoder, rest, room: 1000)
        #expect(progress.isDrained && progress.taken == rest.count)
        #expect(text == CompressedSample.text && decoder.isComplete)
    }

    @Test(
        "Content beyond a full output is returned by the next calls",
        arguments: CompressedSample.all
    )
    func pendingOutputIsDrained(_ sample: CompressedSample) throws {
        let decoder = try #require(ContentDecoder([sample.coding]))
        var rest = sample.bytes
        var text: [UInt8] = []
        var calls = 0
        while true {
            let (progress, part) = try step(decoder, rest, room: 7)
            rest.removeFirst(progress.taken)
            text += part
            calls += 1
            #expect(part.count <= 7)
            if progress.isDrained { break }
            // An output that isn't full has nothing pending.
            try #require(part.count == 7 || progress.taken > 0)
        }
        #expect(rest.isEmpty && text == CompressedSample.text && decoder.isComplete)
        #expect(calls > CompressedSample.text.count / 7)
    }

    /// The first byte of Brotli declares its window.
    @Test(
        "The memory that Brotli needs is known at the first byte",
        arguments: [(0xcf, 24), (0x1b, 22), (0xa5, 19), (0x62, 16), (0xa1, 10), (0x01, 17)]
    )
    func brotliDeclaresItsNeed(_ first: UInt8, _ bits: Int) throws {
        let decoder = try #require(ContentDecoder(["br"]))
        // In addition to the window, there may be code tables.
        #expect(try decoder.memoryNeed(before: [first].span) == 1 << bits + 3 << 20)
    }

    @Test("A decoder of Zstandard needs much memory only for long content")
    func zstandardNeedsMemoryForLongContent() throws {
        // The window has 8 MiB.
        let block: [UInt8] = [0x02, 0x00, 0x10, 0x7a]
        let frame =
            [0x28, 0xb5, 0x2f, 0xfd, 0, 0x68] + Array(repeatElement(block, count: 800).joined())
        let decoder = try #require(ContentDecoder(["zstd"]))
        #expect(try decoder.memoryNeed(before: frame.span) == 0)
        let (progress, _) = try step(decoder, frame, room: 100_000)
        let rest = Array(frame.dropFirst(progress.taken))
        #expect(try decoder.memoryNeed(before: rest.span) == 0 && !decoder.usesLargeMemory)
        _ = try step(decoder, rest, room: 1 << 20)
        let nothing: [UInt8] = []
        #expect(try decoder.memoryNeed(before: nothing.span) > 8 << 20)
        #expect(decoder.usesLargeMemory)
    }

    /// A body of a few kilobytes may expand to gigabytes.
    @Test("A decoder never writes more than its output has room for")
    func decoderNeverExceedsItsOutput() throws {
        // Blocks of Zstandard that repeat one byte 128 kB long, in a frame without its size.
        let block: [UInt8] = [0x02, 0x00, 0x10, 0x7a]
        let frame =
            [0x28, 0xb5, 0x2f, 0xfd, 0, 0x58] + Array(repeatElement(block, count: 800).joined())
        let decoder = try #require(ContentDecoder(["zstd"]))
        let (progress, text) = try step(decoder, frame, room: 1 << 20)
        #expect(text.count == 1 << 20 && text.allSatisfy { $0 == 0x7a })
        #expect(progress.taken < frame.count && !progress.isDrained)
        #expect(!decoder.isComplete)
    }

    @Test("A complete decoder takes no input and stays complete", arguments: CompressedSample.all)
    func completeDecoderStaysComplete(_ sample: CompressedSample) throws {
        let decoder = try #require(ContentDecoder([sample.coding]))
        _ = try step(decoder, sample.bytes, room: 1000)
        for _ in 0..<20 {
            let (progress, text) = try step(decoder, [], room: 10)
            #expect(progress.isDrained && progress.taken == 0 && text.isEmpty)
            #expect(decoder.isComplete)
        }
    }

    @Test("An incomplete decoder waits for input without an error", arguments: CompressedSample.all)
    func incompleteDecoderWaitsForInput(_ sample: CompressedSample) throws {
        let decoder = try #require(ContentDecoder([sample.coding]))
        let half = Array(sample.bytes.prefix(sample.bytes.count / 2))
        var text = try step(decoder, half, room: 1000).text
        for _ in 0..<40 {
            let (progress, more) = try step(decoder, [], room: 1000)
            #expect(progress.isDrained)
            text += more
        }
        #expect(!decoder.isComplete)
        text += try step(decoder, Array(sample.bytes.dropFirst(half.count)), room: 1000).text
        #expect(text == CompressedSample.text && decoder.isComplete)
    }

    @Test("An unknown coding is an error only if there is content to decode")
    func unknownCodingIsAnErrorOnlyOnUse() throws {
        let decoder = try #require(ContentDecoder(["gzip, rot13"]))
        #expect(decoder.isComplete)
        let failure = #expect(throws: DecodingFailure.self) { try step(decoder, [1], room: 10) }
        #expect(failure?.reason == "its coding \"rot13\" can't be decoded here")
    }

    @Test("The reason shortens a coding's long name, and counts too many codings")
    func reasonsAreShort() throws {
        let name = String(repeating: "n", count: 1000)
        let long = try #require(ContentDecoder([name]))
        let first = #expect(throws: DecodingFailure.self) { try step(long, [1], room: 10) }
        #expect(first?.reason == "its coding \"\(name.prefix(40))\" can't be decoded here")
        let many = try #require(ContentDecoder(["gzip, gzip, gzip", "identity, br, br, zstd"]))
        let second = #expect(throws: DecodingFailure.self) { try step(many, [1], room: 10) }
        #expect(second?.reason == "it has 6 codings, and more than 5 aren't decoded")
    }

    @Test(
        "Only one of the codings with large windows is decoded",
        .enabled(if: ContentCoding(name: "br") != nil && ContentCoding(name: "zstd") != nil),
        arguments: ["br, br", "gzip, zstd, zstd", "zstd, gzip, br"]
    )
    func largeWindowsAreNotCombined(_ names: String) throws {
        let decoder = try #require(ContentDecoder([names]))
        let failure = #expect(throws: DecodingFailure.self) { try step(decoder, [1], room: 10) }
        #expect(failure?.reason == "it combines several of br and zstd, which isn't decoded")
        for one in ["br", "gzip, zstd", "br, gzip, deflate"] {
            let decoder = try #require(ContentDecoder([one]))
            _ = try step(decoder, [], room: 10)
        }
    }

    @Test("Names of codings are case-insensitive, and x-gzip means gzip")
    func namesHaveNoCase() throws {
        for name in ["gzip", "GZIP", " x-GZip ", "\tgzip,", "identity, gzip", "none,gzip,"] {
            let decoder = try #require(ContentDecoder([name]))
            let text = try step(decoder, CompressedSample.gzip.bytes, room: 1000).text
            #expect(text == CompressedSample.text, "\(name)")
        }
        for values in [[], [""], [","], ["identity"], ["Identity , NONE", " "]] {
            #expect(ContentDecoder(values) == nil, "\(values)")
        }
        // Another space than HTTP's is part of the name.
        let decoder = try #require(ContentDecoder(["\u{a0}gzip"]))
        #expect(throws: DecodingFailure.self) { try step(decoder, [1], room: 1) }
    }

    @Test("The accepted codings are those that can be decoded, in the order of preference")
    func acceptedCodingsAreAvailable() {
        #expect(ContentCoding.allCases.map(\.name) == ["deflate", "gzip", "br", "zstd"])
        #expect(
            ContentCoding.accepted == ContentCoding.available.map(\.name).joined(separator: ", ")
        )
        #expect(ContentCoding.accepted.hasPrefix("deflate, gzip"))
        for coding in ContentCoding.available {
            #expect(ContentCoding(name: coding.name) == coding)
            #expect(coding.makeDecoder()?.isComplete == true)
        }
        #expect(ContentCoding(name: "x-gzip") == .gzip)
        for name in ["", "GZIP", "compress", "x-deflate", "brotli", "identity"] {
            #expect(ContentCoding(name: name) == nil, "\(name)")
        }
    }

    @Test("Decoders on different threads don't disturb each other")
    func decodersAreIndependent() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    try await NativeThread.run {
                        for round in 0..<20 {
                            let samples = CompressedSample.all
                            let sample = samples[(thread + round) % samples.count]
                            let decoder = try #require(ContentDecoder([sample.coding]))
                            let text = try step(decoder, sample.bytes, room: 1000).text
                            #expect(text == CompressedSample.text && decoder.isComplete)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
