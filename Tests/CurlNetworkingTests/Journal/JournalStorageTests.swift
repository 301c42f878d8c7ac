internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

@Suite(.timeLimit(.minutes(10))) struct JournalStorageTests {
    private let fixture: JournalFixture

    init() throws {
        fixture = try JournalFixture()
    }

    private var database: URL { fixture.journalFolder.appendingPathComponent("journal.db") }

    /// Adds upload jobs with these ids, whose files don't exist, and waits until they have ended.
    private func add(_ names: [String], to journal: TransferJournal) async throws {
        let url = try #require(URL(string: "http://127.0.0.1:\(LoopbackServer.unusedPort())/"))
        for name in names {
            try await journal.upload(
                URLRequest(url: url.appendingPathComponent(name)),
                fromFile: fixture.file("none"),
                id: name
            )
        }
        await journal.finishEvents()
    }

    @Test("S-02: A journal can be open in only one object, and the error says so")
    func journalOpensInOnlyOneObject() async throws {
        let journal = try fixture.journal()
        let error = #expect(throws: TransferJournalError.self) { try fixture.journal() }
        #expect(error?.code == .locked)
        let own = ProcessInfo.processInfo.processIdentifier
        #expect(error?.processIdentifier == own)
        #expect(error?.message.contains("another TransferJournal of this process") == true)
        await journal.close()
        let other = try fixture.journal()
        await other.close()
    }

    @Test("S-02: A journal can be open in only one process, and the error names it")
    func journalOpensInOnlyOneProcess() async throws {
        let journal = try fixture.journal()
        let probe = try await fixture.probe(["http://127.0.0.1", "0"])
        #expect(probe.status == 3)
        let own = ProcessInfo.processInfo.processIdentifier
        #expect(probe.output.contains("open in process \(own) ("), "\(probe.output)")
        await journal.close()
        let second = try await fixture.probe(["http://127.0.0.1", "0"])
        #expect(second.status == 0, "\(second.output)")
    }

    @Test("S-02: A journal without references is closed")
    func releasedJournalIsClosed() async throws {
        weak var core: JournalCore?
        do {
            let journal = try fixture.journal()
            core = journal.core
            try await add(["a"], to: journal)
        }
        // The block is enqueued after the closing.
        if let core { await withCheckedContinuation { done in core.queue.async { done.resume() } } }
        let other = try fixture.journal()
        #expect(try await other.jobs().map(\.id) == ["a"])
        await other.close()
    }

    @Test("S-02: A damaged record is reported, and the other records stay intact")
    func damagedRecordIsReported() async throws {
        let first = try fixture.journal()
        try await add(["first", "second", "third"], to: first)
        await first.close()
        var bytes = try Data(contentsOf: database)
        // A byte of the URL that is stored in the record.
        let place = try #require(bytes.range(of: Data("\\/second".utf8)))
        bytes[place.lowerBound + 4] ^= 1
        try bytes.write(to: database)
        let second = try fixture.journal()
        let damaged = try #require(second.damagedJobs.first)
        #expect(second.damagedJobs.count == 1)
        #expect((damaged.number, damaged.id) == (2, "second"))
        #expect(damaged.message.contains("number 2, “second”"))
        #expect(damaged.message.contains("removeDamaged"))
        #expect(try await second.jobs().map(\.id) == ["first", "third"])
        #expect(try await second.restore().map(\.id) == ["first", "third"])
        let error = await #expect(throws: TransferJournalError.self) {
            try await second.job("second")
        }
        #expect(error?.code == .damagedJob)
        try await second.removeDamaged(damaged)
        #expect(second.damagedJobs.isEmpty)
        try await add(["second"], to: second)
        await second.close()
        let third = try fixture.journal()
        #expect(third.damagedJobs.isEmpty)
        #expect(try await third.jobs().map(\.id) == ["first", "third", "second"])
        await third.close()
    }

    @Test("S-02: A torn last record is ignored")
    func tornLastRecordIsIgnored() async throws {
        let journal = try fixture.journal()
        try await add(["first", "second"], to: journal)
        let log = database.path + "-wal"
        let sizes = try [database.path, log].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        await journal.close()
        #expect(sizes[1].count > 4096)
        // The files as they are if the process ends now; then with the log truncated at several
        // places.
        for cut in [0, 1, 100, 5000, sizes[1].count / 2, sizes[1].count] {
            let folder = try JournalFixture()
            try FileManager.default.createDirectory(
                at: folder.journalFolder,
                withIntermediateDirectories: true
            )
            let path = folder.journalFolder.appendingPathComponent("journal.db")
            try sizes[0].write(to: path)
            try sizes[1].dropLast(cut).write(to: URL(fileURLWithPath: path.path + "-wal"))
            let copy = try folder.journal()
            let names = try await copy.jobs().map(\.id)
            #expect(names == Array(["first", "second"].prefix(names.count)), "\(cut)")
            if cut == 0 { #expect(names.count == 2) }
            #expect(copy.damagedJobs.isEmpty)
            await copy.close()
        }
    }

    @Test("S-02: A file that isn't a journal isn't modified")
    func fileThatIsNoJournalIsNotModified() async throws {
        let folder = fixture.journalFolder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let bytes = Data(String(repeating: "This is no database. ", count: 500).utf8)
        try bytes.write(to: database)
        let error = #expect(throws: TransferJournalError.self) { try fixture.journal() }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains(database.path) == true)
        #expect(try Data(contentsOf: database) == bytes)
        try FileManager.default.removeItem(at: database)
        let journal = try fixture.journal()
        await journal.close()
    }

    @Test("S-02: A journal of another version isn't modified")
    func journalOfAnotherVersionIsNotModified() async throws {
        let journal = try fixture.journal()
        await journal.close()
        var bytes = try Data(contentsOf: database)
        // The database's user version (https://www.sqlite.org/fileformat.html, section 1.3).
        #expect(bytes[63] == 2)
        bytes[63] = 9
        try bytes.write(to: database)
        let error = #expect(throws: TransferJournalError.self) { try fixture.journal() }
        #expect(error?.code == .otherVersion)
        #expect(error?.message.contains("version 9") == true)
    }

    /// Inherited as by a child process between `fork` and `exec`.
    @Test func closedJournalReopensWhenChildInheritedItsLock() async throws {
        let fixture = try JournalFixture()
        let journal = try fixture.journal()
        let path = fixture.journalFolder.path + "/journal.lock"
        let inherited = try #require(ProcessFacts.inherited(path))
        defer { _ = close(inherited) }
        await journal.close()
        await (try fixture.journal()).close()
    }
}
