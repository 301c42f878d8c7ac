import Foundation
import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// The consecutive files of an archive: their names, limits, locks and errors.
@Suite struct ArchiveSeriesTests {
    private static let trailer = Array("end".utf8)

    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func series(_ limit: ArchiveLimit, in path: String? = nil) -> ArchiveSeries {
        let recovery = ArchiveRecovery(
            folder: path ?? folder.path,
            name: "shard",
            ending: "tar",
            trailer: Self.trailer,
            wholeLength: { _ throws(FileError) in 0 }
        )
        return ArchiveSeries(recovery, limit: limit)
    }

    /// Writes text as one body, and returns the name of its file and its offset there.
    @discardableResult
    private func add(_ text: String, to series: inout ArchiveSeries) throws -> String {
        try series.add { file throws(FileError) in
            let place = "\(file.name) at \(file.length)"
            try file.write(Array(text.utf8))
            return place
        }
    }

    private func text(_ name: String) throws -> String {
        String(decoding: try folder.read(name), as: UTF8.self)
    }

    private func isLocked(_ name: String) throws -> Bool {
        let file = try FileDescriptor.openForUpdating(folder.path(name))
        return try !file.tryLock()
    }

    /// The failure that `body` throws.
    private func failure(_ body: () throws -> Void) throws -> BatchFailure {
        do {
            try body()
        } catch {
            return try #require(error as? BatchFailure)
        }
        throw BatchFailure(.output, "nothing was thrown")
    }

    @Test func fileGetsItsNameOnlyWhenItIsClosed() throws {
        var series = series(.entries(10))
        #expect(try add("one", to: &series) == "shard-00000.tar at 0")
        #expect(try add("two", to: &series) == "shard-00000.tar at 3")
        #expect(try folder.contents() == ["shard-00000.tar.part"])
        #expect(try isLocked("shard-00000.tar.part"))
        try series.close()
        #expect(try folder.contents() == ["shard-00000.tar"])
        #expect(try text("shard-00000.tar") == "onetwoend")
        #expect(try !isLocked("shard-00000.tar"))
    }

    @Test func closedFileIsUnlockedThoughItsLockWasInherited() throws {
        var series = series(.entries(10))
        try add("one", to: &series)
        let inherited = try #require(ProcessFacts.inherited(folder.path("shard-00000.tar.part")))
        defer { close(inherited) }
        try series.close()
        #expect(try !isLocked("shard-00000.tar"))
    }

    @Test func fileIsFullAtItsSizeLimit() throws {
        var series = series(.bytes(6))
        #expect(try add("five.", to: &series) == "shard-00000.tar at 0")
        #expect(try add("6", to: &series) == "shard-00000.tar at 5")
        #expect(try text("shard-00000.tar") == "five.6end")
        #expect(try add("longer than the limit", to: &series) == "shard-00001.tar at 0")
        #expect(try add("x", to: &series) == "shard-00002.tar at 0")
        try series.close()
        #expect(try text("shard-00001.tar") == "longer than the limitend")
        #expect(try text("shard-00002.tar") == "xend")
    }

    @Test func seriesWithoutBodiesCreatesNoFile() throws {
        var series = series(.entries(1))
        try series.close()
        #expect(try folder.contents().isEmpty)
        // Nor does the end of a series whose last file was full.
        var full = self.series(.entries(1))
        try add("x", to: &full)
        try full.close()
        #expect(try folder.contents() == ["shard-00000.tar"])
    }

    @Test func concurrentSeriesUseDifferentFiles() throws {
        var first = series(.entries(2))
        var second = series(.entries(2))
        #expect(try add("a", to: &first) == "shard-00000.tar at 0")
        #expect(try add("b", to: &second) == "shard-00001.tar at 0")
        try add("c", to: &first)
        #expect(try add("d", to: &first) == "shard-00002.tar at 0")
        try second.close()
        try first.close()
        #expect(
            try ["00000", "00001", "00002"].map { try text("shard-\($0).tar") } == [
                "acend", "bend", "dend",
            ]
        )
    }

    /// What follows a failed write could not be found, because the end of the file is damaged.
    @Test func nothingIsWrittenAfterAFailedWrite() throws {
        var series = series(.entries(10))
        try add("whole", to: &series)
        let first = try failure {
            try series.add { file throws(FileError) in
                try file.write(Array("torn".utf8))
                throw FileError(operation: "write", path: "/out/x", errno: 5)
            }
        }
        #expect(first.code == .output && first.systemErrno == 5 && first.endsRun)
        #expect(first.message.hasPrefix("cannot write “/out/x”: "))
        var isCalled = false
        let second = try failure { try series.add { _ throws(FileError) in isCalled = true } }
        #expect(second == first && !isCalled)
        try series.close()
        // The next run recovers it.
        #expect(try folder.contents() == ["shard-00000.tar.part"])
        #expect(try text("shard-00000.tar.part") == "wholetorn")
        #expect(try !isLocked("shard-00000.tar.part"))
    }

    @Test func missingFolderEndsTheRun() throws {
        var series = series(.entries(10), in: folder.path("none"))
        let failure = try failure { try add("x", to: &series) }
        #expect(failure.code == .output && failure.endsRun)
        #expect(
            failure.message.hasPrefix("cannot open “\(folder.path("none"))/shard-00000.tar.part”: ")
        )
    }

    @Test func fileOfTheSameNameIsNotReplaced() throws {
        var series = series(.entries(10))
        try add("ours", to: &series)
        try folder.write("theirs", to: "shard-00000.tar")
        let failure = try failure { try series.close() }
        #expect(failure.code == .output)
        #expect(failure.message.contains("“\(folder.path("shard-00000.tar"))”"))
        #expect(try text("shard-00000.tar") == "theirs")
        #expect(try text("shard-00000.tar.part") == "oursend")
    }

    @Test func numbersMayHaveMoreThanFiveDigits() {
        #expect(ArchiveName.file("shard", 7, "tar") == "shard-00007.tar")
        #expect(ArchiveName.file("batch", 123_456, "warc.gz") == "batch-123456.warc.gz")
    }
}
