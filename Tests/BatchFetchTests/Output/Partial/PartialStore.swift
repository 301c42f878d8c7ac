internal import HTTPSemantics
import Posix
import TestSupport

@testable import BatchFetch

/// An output folder with its folder of incomplete bodies, and the disk threads for them.
final class PartialStore: Sendable {
    static let url = "http://a.example/body"

    let folder: TemporaryDirectory
    let disk: DiskThreads

    init() throws {
        folder = try TemporaryDirectory()
        disk = try DiskThreads()
    }

    deinit { disk.stop() }

    /// Where the bytes of the URL's body are kept.
    var part: String { ".parts/\(StableHash.digits(Self.url.utf8))" }
    var record: String { "\(part).json" }

    var hasParts: Bool { (try? FileSystem.kind(of: folder.path(".parts"))) != nil }

    /// The files in `.parts`; nil if there is no such folder.
    var names: [String]? {
        hasParts ? try? TemporaryDirectory.files(in: folder.path(".parts")).sorted() : nil
    }

    func parts(segments: Int = 1) -> PartialFolder {
        PartialFolder(in: folder.path, segments: segments, disk: disk)
    }

    /// Writes what an earlier run has left of a body.
    func leave(_ record: PartialRecord, bytes count: Int) throws {
        try FileSystem.makeDirectory(folder.path(".parts"))
        try folder.write([UInt8](repeating: 7, count: count), to: part)
        try folder.write(record.text(), to: self.record)
    }

    /// A record of the store's URL with these ranges, which have been flushed.
    static func record(
        _ ranges: [Range<Int64>] = [],
        of length: Int64 = 100,
        url: String = url
    ) -> PartialRecord {
        PartialRecord(
            url: url,
            finalURL: url,
            validator: .entityTag("\"1\""),
            length: length,
            ranges: ByteRanges(ranges),
            durable: ByteRanges(ranges)
        )
    }

    func placement(_ name: String = "body.bin") -> FilePlacement {
        FilePlacement(
            folder: folder.path,
            name: FileName(name, url: Self.url),
            existing: .overwrite,
            claim: nil,
            taken: nil
        )
    }
}
