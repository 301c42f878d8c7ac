import Foundation
import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// Copies of standard input: completeness, locks and errors.
///
/// The tests end the copying before it starts, because other tests share standard input.
@Suite struct SpoolTests {
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private var path: String { folder.path("copy") }
    private var unfinished: String { Spool.unfinishedPath(path) }

    /// Fills a spool that is ended at once, so it reads nothing.
    private func fillEnded(_ path: String) throws(BatchFailure) -> Bool {
        let spool = try Spool(path: path)
        spool.end()
        return try spool.fill()
    }

    @Test("A complete copy of standard input is reused, and standard input isn't read")
    func completeCopyIsUsed() throws {
        try folder.write("http://h/\n", to: "copy")
        let isFilled = try fillEnded(path)
        #expect(isFilled && Spool.isFilled(path))
        #expect(try folder.read("copy") == Array("http://h/\n".utf8))
        #expect(try folder.contents() == ["copy"])
    }

    @Test("An empty copy is complete, because standard input was empty")
    func emptyCopyIsComplete() throws {
        try folder.write("", to: "copy")
        let isFilled = try fillEnded(path)
        #expect(isFilled)
        #expect(try folder.read("copy").isEmpty)
    }

    @Test("A complete copy is used after the spool's end, and a partial file stays")
    func completeCopyCountsAfterTheEnd() throws {
        try folder.write("http://h/\n", to: "copy")
        try folder.write("http", to: "copy.part")
        let isFilled = try fillEnded(path)
        #expect(isFilled)
        #expect(try folder.read("copy.part") == Array("http".utf8))
    }

    @Test("Creating a spool writes nothing")
    func creatingASpoolWritesNothing() throws {
        _ = try Spool(path: path)
        #expect(try folder.contents().isEmpty)
        #expect(!Spool.isFilled(path))
    }

    @Test("A copy that is ended early removes its file, and that of a killed run")
    func endedCopyLeavesNoFile() throws {
        for text in [nil, "http://h/ of a killed run"] as [String?] {
            if let text { try folder.write(text, to: "copy.part") }
            let isFilled = try fillEnded(path)
            #expect(!isFilled)
            #expect(try folder.contents().isEmpty)
        }
    }

    @Test("A spool may be ended repeatedly, before and after it is filled")
    func endingMayBeRepeated() throws {
        let spool = try Spool(path: path)
        for _ in 0..<3 { spool.end() }
        for _ in 0..<2 {
            let isFilled = try spool.fill()
            #expect(!isFilled)
            spool.end()
        }
        #expect(try folder.contents().isEmpty)
    }

    @Test("A copy that another run is writing is an error, and stays unchanged")
    func lockedCopyIsAnError() throws {
        try folder.write("http://h/1", to: "copy.part")
        let other = try FileDescriptor.openForUpdating(unfinished)
        let isLocked = try other.tryLock()
        #expect(isLocked)
        let failure = #expect(throws: BatchFailure.self) { try fillEnded(path) }
        #expect(failure?.code == .output)
        #expect(
            failure?.message == "“\(path)” is being written by another run: wait until it ends"
        )
        #expect(try folder.contents() == ["copy.part"])
        #expect(try folder.read("copy.part") == Array("http://h/1".utf8))
        other.unlock()
        let isFilled = try fillEnded(path)
        #expect(!isFilled)
        #expect(try folder.contents().isEmpty)
    }

    @Test("A copy that can't be written is an error with its file and the reason")
    func unwritableCopyIsAnError() throws {
        try folder.write("", to: "file")
        try FileManager.default.createDirectory(
            atPath: folder.path("taken.part"),
            withIntermediateDirectories: false
        )
        for (path, reason) in [
            (folder.path("none/copy"), "cannot open “\(folder.path("none/copy.part"))”: No such"),
            (folder.path("taken"), "cannot open “\(folder.path("taken.part"))”: Is a directory"),
            (folder.path("file/copy"), "cannot examine “\(folder.path("file/copy"))”: Not a dir"),
            (folder.path("a\0b"), "cannot examine “\(folder.path("a\0b"))”: Invalid argument"),
        ] {
            let failure = #expect(throws: BatchFailure.self) { try fillEnded(path) }
            #expect(failure?.code == .output)
            #expect(
                failure?.message.hasPrefix("can't copy standard input: \(reason)") == true,
                "\(failure?.message ?? "")"
            )
        }
        #expect(try folder.contents() == ["file", "taken.part"])
    }

    @Test("A link in place of the copy isn't followed", arguments: [true, false])
    func linkInPlaceOfTheCopyIsNotFollowed(isDangling: Bool) throws {
        if !isDangling { try folder.write("other", to: "target") }
        try FileManager.default.createSymbolicLink(
            atPath: unfinished,
            withDestinationPath: folder.path("target")
        )
        let failure = #expect(throws: BatchFailure.self) { try fillEnded(path) }
        #expect(failure?.code == .output)
        #expect(failure?.message.contains("cannot open “\(unfinished)”") == true)
        #expect(try folder.contents() == (isDangling ? ["copy.part"] : ["copy.part", "target"]))
        if !isDangling { #expect(try folder.read("target") == Array("other".utf8)) }
    }

    @Test("Only a regular file with the final name is a complete copy")
    func onlyARegularFileIsComplete() throws {
        try folder.write("http", to: "copy.part")
        #expect(!Spool.isFilled(path))
        #expect(!Spool.isFilled(folder.path))
        #expect(!Spool.isFilled("/dev/null"))
        #expect(!Spool.isFilled(folder.path("none/copy")))
        let link = folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(!Spool.isFilled(link))
        try folder.write("http://h/", to: "copy")
        #expect(Spool.isFilled(path) && Spool.isFilled(link))
    }
}
