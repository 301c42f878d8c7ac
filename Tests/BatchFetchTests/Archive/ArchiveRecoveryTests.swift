import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// Archive files that a killed run has left: how much of them is complete, and which are closed.
@Suite struct ArchiveRecoveryTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func recover() throws {
        let recovery = ArchiveRecovery(
            folder: folder.path,
            name: "shard",
            ending: "tar",
            trailer: Array("end".utf8),
            wholeLength: { file throws(FileError) in try file.size() / 10 * 10 }
        )
        try recovery.run()
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try folder.read(name), as: UTF8.self)
    }

    private func wholeTarLength(_ bytes: [UInt8]) throws -> Int {
        let path = try folder.write(bytes, to: "measured")
        return Int(try TarRecovery.wholeLength(of: try .openForUpdating(path)))
    }

    private func wholeWARCLength(_ bytes: [UInt8]) throws -> Int {
        let path = try folder.write(bytes, to: "measured")
        return Int(try WARCRecovery.wholeLength(of: try .openForUpdating(path)))
    }

    /// A tar file with a body of a block, one whose own name ends in `.json`, and an empty one.
    private func tar() throws -> (bytes: [UInt8], ends: [Int]) {
        let other = try TemporaryDirectory()
        let archive = TarArchive(folder: other.path, limit: .entries(3))
        let samples = ArchiveSamples(in: other.path, archive)
        var starts: [Int] = []
        for (index, content) in [[UInt8](repeating: 1, count: 512), [2], []].enumerated() {
            let url = "https://h/\(index)\(index == 1 ? ".json" : "")"
            starts.append(Int(try samples.store(content, url, ordinal: index + 1).offset))
        }
        let bytes = Array(try other.read("shard-00000.tar").dropLast(1024))
        return (bytes, starts.dropFirst() + [bytes.count])
    }

    @Test func tarIsWholeUpToItsLastMetadata() throws {
        let (bytes, ends) = try tar()
        try #require(ends.count == 3 && bytes.count.isMultiple(of: 512))
        for block in 0...(bytes.count / 512) {
            for cut in [block * 512 - 1, block * 512, block * 512 + 1]
            where (0...bytes.count).contains(cut) {
                let whole = ends.last { $0 <= cut } ?? 0
                #expect(try wholeTarLength(Array(bytes.prefix(cut))) == whole, "cut at \(cut)")
            }
        }
    }

    @Test func damagedTarHeaderEndsTheWholePart() throws {
        let (bytes, ends) = try tar()
        for (place, name) in [(257, "magic"), (124, "size")] {
            var damaged = bytes
            damaged[ends[0] + place] = UInt8(ascii: "X")
            #expect(try wholeTarLength(damaged) == ends[0], "\(name)")
        }
        // A size beyond the end of the file.
        var damaged = bytes
        damaged[ends[0] + 128] = UInt8(ascii: "7")
        #expect(try wholeTarLength(damaged) == ends[0])
        // A power failure leaves zeros.
        let zeros = [UInt8](repeating: 0, count: 2048)
        #expect(try wholeTarLength(Array(bytes[..<ends[1]]) + zeros) == ends[1])
        #expect(try wholeTarLength(zeros) == 0)
    }

    @Test(arguments: ["-0000004000", "+0000000002", "           ", "77777777777"])
    func impossibleTarSizeEndsTheWholePart(size: String) throws {
        let (bytes, ends) = try tar()
        var damaged = bytes
        damaged.replaceSubrange((ends[0] + 124)..<(ends[0] + 135), with: size.utf8)
        #expect(try wholeTarLength(damaged) == ends[0])
    }

    @Test(arguments: ["9223372036854775807", "-2048", "+1", ""])
    func impossiblePaxSizeEndsTheWholePart(size: String) throws {
        let (bytes, ends) = try tar()
        var header = TarHeader.bytes(name: "pax", size: 512, seconds: 0)
        header[156] = UInt8(ascii: "x")
        let record = Array("27 size=\(size)\n".utf8)
        let block = record + [UInt8](repeating: 0, count: 512 - record.count)
        let damaged = bytes[..<ends[0]] + header + block + bytes[ends[0]...]
        #expect(try wholeTarLength(Array(damaged)) == ends[0])
    }

    /// The file has a hole instead of its large body.
    @Test func tarMemberBeyondTheUstarSizeIsMeasured() throws {
        let size: Int64 = 1 << 33
        let body = TarHeader.bytes(name: "000000001.bin", size: size, seconds: 0)
        let description = TarHeader.bytes(name: "000000001.json", size: 2, seconds: 0)
        let path = folder.path("large")
        let file = try FileDescriptor.openForUpdating(path)
        try file.write(body)
        let end = Int64(body.count) + size
        try file.write(description + Array("{}".utf8) + TarHeader.padding(after: 2), at: end)
        #expect(try TarRecovery.wholeLength(of: file) == end + 1024)
        try file.truncate(to: end + 1023)
        #expect(try TarRecovery.wholeLength(of: file) == 0)
    }

    @Test func warcIsWholeUpToItsLastMember() throws {
        guard var encoder = GzipEncoder() else { throw BatchFailure(.resources, "no memory") }
        var bytes: [UInt8] = []
        var ends: [Int] = []
        for text in ["warcinfo", "", String(repeating: "response", count: 40)] {
            encoder.compress(Array(text.utf8), isEnd: true, into: &bytes)
            ends.append(bytes.count)
        }
        for cut in 0...bytes.count {
            let whole = ends.last { $0 <= cut } ?? 0
            #expect(try wholeWARCLength(Array(bytes.prefix(cut))) == whole, "cut at \(cut)")
        }
        let zeros = [UInt8](repeating: 0, count: 700)
        #expect(try wholeWARCLength(bytes + zeros) == bytes.count)
        #expect(try wholeWARCLength(zeros) == 0)
        // Each byte of the last member's checksum counts.
        for place in (bytes.count - 8)..<(bytes.count - 4) {
            var damaged = bytes
            damaged[place] ^= 1
            #expect(try wholeWARCLength(damaged) == ends[1])
        }
    }

    @Test func warcMemberOfManyReadsIsMeasured() throws {
        guard var encoder = GzipEncoder() else { throw BatchFailure(.resources, "no memory") }
        var generator = SeededGenerator(seed: 1)
        let noise = [UInt8](count: 700_000) { _ in UInt8.random(in: 0...255, using: &generator) }
        var bytes: [UInt8] = []
        encoder.compress(noise, isEnd: true, into: &bytes)
        let first = bytes.count
        encoder.compress(noise, isEnd: true, into: &bytes)
        #expect(try wholeWARCLength(bytes) == bytes.count)
        #expect(try wholeWARCLength(bytes.dropLast()) == first)
    }

    @Test func tornEndIsReplacedByTheTrailer() throws {
        try folder.write("0123456789torn", to: "shard-00000.tar.part")
        try folder.write("closed", to: "shard-00001.tar")
        try folder.write("01234567890123456789", to: "shard-00002.tar.part")
        try recover()
        #expect(
            try folder.contents() == ["shard-00000.tar", "shard-00001.tar", "shard-00002.tar"]
        )
        #expect(try text("shard-00000.tar") == "0123456789end")
        #expect(try text("shard-00001.tar") == "closed")
        #expect(try text("shard-00002.tar") == "01234567890123456789end")
    }

    @Test("A tar or WARC file with only the beginning of its first entry is removed")
    func tornFileIsRemoved() throws {
        let bytes = try tar().bytes
        for (index, count) in [0, 100, 600, 1024].enumerated() {
            try folder.write(Array(bytes.prefix(count)), to: "shard-0000\(index).tar.part")
        }
        try folder.write([0x1F, 0x8B, 8, 0], to: "batch-00000.warc.gz.part")
        let tar = TarArchive(folder: folder.path, limit: .entries(3))
        try tar.close()
        #expect(try folder.contents() == ["batch-00000.warc.gz.part"])
        let warc = try WARCArchive(folder: folder.path, limit: .entries(3))
        try warc.close()
        #expect(try folder.contents() == [])
    }

    @Test("A damaged file without a complete entry is kept")
    func damagedFileIsKept() throws {
        let noise = [UInt8](repeating: 7, count: 1024)
        try folder.write(noise, to: "shard-00000.tar.part")
        try folder.write(noise, to: "batch-00000.warc.gz.part")
        try TarArchive(folder: folder.path, limit: .entries(3)).close()
        try WARCArchive(folder: folder.path, limit: .entries(3)).close()
        #expect(
            try folder.contents() == ["batch-00000.warc.gz.part", "shard-00000.tar.part"]
        )
    }

    @Test("Files after a removed one are recovered")
    func gapDoesNotEndTheRecovery() throws {
        try folder.write("0123456789torn", to: "shard-00099.tar.part")
        try recover()
        #expect(try folder.contents() == ["shard-00099.tar"])
    }

    @Test func fileWithoutACompleteEntryIsKept() throws {
        try folder.write("torn", to: "shard-00000.tar.part")
        try folder.write("0123456789", to: "shard-00001.tar.part")
        try recover()
        #expect(try folder.contents() == ["shard-00000.tar.part", "shard-00001.tar"])
        #expect(try text("shard-00000.tar.part") == "torn")
    }

    @Test func fileOfARunningProcessIsSkipped() throws {
        try folder.write("0123456789torn", to: "shard-00000.tar.part")
        try folder.write("0123456789torn", to: "shard-00001.tar.part")
        let writer = try FileDescriptor.openForUpdating(folder.path("shard-00000.tar.part"))
        try writer.lock()
        try recover()
        #expect(try folder.contents() == ["shard-00000.tar.part", "shard-00001.tar"])
        #expect(try text("shard-00000.tar.part") == "0123456789torn")
        writer.unlock()
        try recover()
        #expect(try folder.contents() == ["shard-00000.tar", "shard-00001.tar"])
    }

    @Test func closedFileOfTheSameNumberIsNotReplaced() throws {
        try folder.write("closed", to: "shard-00000.tar")
        try folder.write("0123456789torn", to: "shard-00000.tar.part")
        try recover()
        #expect(try text("shard-00000.tar") == "closed")
        #expect(try text("shard-00000.tar.part") == "0123456789torn")
    }

    @Test func fileOfAnotherNameIsIgnored() throws {
        let names = ["other-00000.tar.part", "shard-00000.tar.gz.part", "shard-0.tar.part"]
        for name in names { try folder.write("0123456789torn", to: name) }
        try recover()
        #expect(try folder.contents() == names.sorted())
    }
}
