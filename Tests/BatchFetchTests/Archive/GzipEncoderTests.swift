import TestSupport
import Testing

@testable import BatchFetch

/// Compressed members, which the decoder and the program gzip read.
@Suite(.timeLimit(.minutes(10))) struct GzipEncoderTests {
    private static func noise(_ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: UInt64(count))
        return [UInt8](count: count) { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// The content of all members; checks that the last one is complete.
    private func decoded(_ bytes: [UInt8]) throws -> [UInt8] {
        guard var decoder = GzipDecoder() else { throw BatchFailure(.resources, "no memory") }
        var output: [UInt8] = []
        try decoder.decode(bytes) { piece in
            output += piece
            return true
        }
        let isWhole = decoder.isComplete && decoder.endOfLastMember == bytes.count
        #expect(isWhole)
        return output
    }

    /// Sizes around that of a piece of output, of bytes that don't shrink.
    @Test(arguments: [0, 1, 65_000, 65_535, 65_536, 65_537, 131_072, 1 << 20])
    func contentOfAnySizeIsWhole(count: Int) throws {
        let content = Self.noise(count)
        var encoder = try GzipEncoder.make()
        var output: [UInt8] = []
        encoder.compress(content, isEnd: true, into: &output)
        #expect(try decoded(output) == content)
    }

    @Test func contentInPiecesIsOneMember() throws {
        let content = Self.noise(300_000) + [UInt8](repeating: 7, count: 300_000)
        var encoder = try GzipEncoder.make()
        var output: [UInt8] = []
        var start = 0
        for count in [1, 0, 99_999, 200_000, 65_536, 0] {
            encoder.compress(Array(content[start..<(start + count)]), into: &output)
            start += count
        }
        encoder.compress(Array(content[start...]), isEnd: true, into: &output)
        #expect(try decoded(output) == content)
    }

    /// A reader starts at any record, so no member may refer to the content of another.
    @Test func eachMemberIsReadableAlone() throws {
        let text = Array(String(repeating: "the same text ", count: 200).utf8)
        var encoder = try GzipEncoder.make()
        var members: [[UInt8]] = []
        for number in UInt8(0)..<3 {
            var output: [UInt8] = []
            encoder.compress(text, into: &output)
            encoder.compress([number], isEnd: true, into: &output)
            members.append(output)
        }
        for (number, member) in members.enumerated() {
            #expect(try decoded(member) == text + [UInt8(number)])
        }
        #expect(try decoded(members.flatMap { $0 }).count == 3 * (text.count + 1))
    }

    @Test func outputIsAppended() throws {
        var encoder = try GzipEncoder.make()
        var output: [UInt8] = [1, 2, 3]
        encoder.compress([9], isEnd: true, into: &output)
        #expect(Array(output.prefix(5)) == [1, 2, 3, 0x1F, 0x8B])
    }

    @Test func gzipReadsTheMembers() throws {
        let folder = try TemporaryDirectory()
        let content = Self.noise(100_000)
        var encoder = try GzipEncoder.make()
        var output: [UInt8] = []
        encoder.compress(content, isEnd: true, into: &output)
        encoder.compress([], isEnd: true, into: &output)
        encoder.compress(Array("end".utf8), isEnd: true, into: &output)
        let path = try folder.write(output, to: "file.gz")
        let (status, message) = try ChildProcess.run(["/bin/gzip", "-dk", path])
        #expect(status == 0, "\(message)")
        #expect(try folder.read("file") == content + Array("end".utf8))
    }

    @Test func invalidLevelHasNoEncoder() {
        let isCreated: Bool
        if let _ = GzipEncoder(level: 42) { isCreated = true } else { isCreated = false }
        #expect(!isCreated)
    }
}

extension GzipEncoder {
    fileprivate static func make() throws -> GzipEncoder {
        guard let encoder = GzipEncoder() else { throw BatchFailure(.resources, "no memory") }
        return encoder
    }
}
