internal import CurlURLSession
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// The rows of a journal's database, and what happens to changed ones.
@Suite struct JournalDatabaseTests {
    private let folder: TemporaryDirectory
    private var path: String { folder.path("journal.db") }

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// A database with jobs of these names.
    private func database(_ ids: [String]) throws -> JournalDatabase {
        let database = try JournalDatabase(path: path)
        try database.transaction { database in
            for id in ids { _ = try database.add(.sample(id)) }
        }
        return database
    }

    @Test func jobsBeyondOnePageStayInTheirOrder() throws {
        let ids = (0..<600).map { "job \(600 - $0)" }
        let database = try database(ids)
        let jobs = try database.jobs { _ in true }
        #expect(jobs.map(\.id) == ids)
        #expect(jobs.map(\.sequence) == Array(1...600))
        let some = try database.jobs { $0.id.hasSuffix("00") }
        #expect(some.map(\.id) == [6, 5, 4, 3, 2, 1].map { "job \($0)00" })
    }

    @Test func numberOfARemovedJobIsNotUsedAgain() throws {
        let database = try database(["a", "b"])
        try database.remove(2)
        let added = try database.add(.sample("c"))
        #expect(added.sequence == 3)
        let removed = try database.job(2)
        #expect(removed == nil)
    }

    @Test func secondJobOfANameIsRefusedWithTheName() throws {
        let database = try database(["one"])
        let error = #expect(throws: TransferJournalError.self) {
            _ = try database.add(.sample("one"))
        }
        #expect(error?.code == .jobExists)
        #expect(error?.message.contains("“one”") == true)
        #expect(error?.message.contains("Choose another ID") == true)
        // The case of names counts.
        let other = try database.add(.sample("ONE"))
        #expect(other.sequence > 1)
    }

    @Test func failedTransactionChangesNothing() throws {
        let database = try database(["a"])
        #expect(throws: CancellationError.self) {
            try database.transaction { database in
                _ = try database.add(.sample("b"))
                try database.remove(1)
                throw CancellationError()
            }
        }
        let ids = try database.jobs { _ in true }.map(\.id)
        #expect(ids == ["a"])
        // The connection isn't in a transaction any more.
        try database.transaction { try $0.remove(1) }
        let isRemoved = try database.job(1) == nil
        #expect(isRemoved)
    }

    @Test func deliveryOfAnEarlierAttemptIsNotRecorded() throws {
        let database = try database(["a"])
        var failed = try #require(try database.job(1))
        (failed.state, failed.attempts) = (.failed, 1)
        var resumed = failed
        (resumed.state, resumed.attempts) = (.waiting, 1)
        try database.update(resumed)
        try database.noteDelivery(failed)
        let waiting = try database.job(1)
        #expect(waiting?.isDelivered == false)
        (resumed.state, resumed.attempts) = (.failed, 2)
        try database.update(resumed)
        try database.noteDelivery(failed)
        let later = try database.job(1)
        #expect(later?.isDelivered == false)
        try database.noteDelivery(resumed)
        let delivered = try database.job(1)
        #expect(delivered?.isDelivered == true && delivered?.state == .failed)
    }

    @Test(arguments: [
        "state = 'finished'", "delivered = 1", "id = 'c'", "record = x'7b7d'",
        "checksum = checksum + 1",
    ])
    func changedColumnIsDamage(change: String) throws {
        let database = try database(["a", "b"])
        try database.connection.execute("UPDATE jobs SET \(change) WHERE sequence = 1")
        let damaged = try database.damagedJobs()
        #expect(damaged.map(\.number) == [1])
        #expect(damaged.first?.id == (change.hasPrefix("id") ? "c" : "a"))
        #expect(damaged.first?.message.contains("its checksum doesn't match") == true)
        let readable = try database.jobs { _ in true }.map(\.id)
        #expect(readable == ["b"])
        let error = #expect(throws: TransferJournalError.self) { _ = try database.job(1) }
        #expect(error?.code == .damagedJob)
    }

    @Test func updateChangesNoOtherJob() throws {
        let database = try database(["a", "b"])
        var job = try #require(try database.job(named: "b"))
        job.bytes = 7
        try database.update(job)
        let bytes = try database.jobs { _ in true }.map(\.bytes)
        #expect(bytes == [0, 7])
        let missing = try database.job(named: "B")
        #expect(missing == nil)
    }

    @Test func newFileIsForItsOwnerOnly() throws {
        _ = try database(["a"])
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func databaseOfAnotherProgramIsRefusedAndKept() throws {
        do {
            let other = try SQLiteConnection(path: path, patience: 0)
            try other.execute("CREATE TABLE notes (text TEXT)")
        }
        let before = try folder.read("journal.db")
        let error = #expect(throws: TransferJournalError.self) {
            _ = try JournalDatabase(path: path)
        }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("“\(path)” is another program's database") == true)
        #expect(try folder.read("journal.db") == before)
    }
}
