internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import CurlNetworking

/// The lock of a journal's folder, and whom its error names.
@Suite struct JournalLockTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func refusal() -> TransferJournalError? {
        #expect(throws: TransferJournalError.self) { _ = try JournalLock(folder: folder.path) }
    }

    @Test func lockHasTheProcessAndIsForItsOwnerOnly() throws {
        // Longer than a process identifier: nothing of it may stay.
        try folder.write("4294967295000\n1\n", to: "journal.lock")
        do {
            let lock = try JournalLock(folder: folder.path)
            let own = "\(ProcessInfo.processInfo.processIdentifier)\n"
            #expect(try folder.read("journal.lock") == Array(own.utf8))
            extendLifetime(lock)
        }
        try FileManager.default.removeItem(atPath: folder.path("journal.lock"))
        let lock = try JournalLock(folder: folder.path)
        let attributes = try FileManager.default.attributesOfItem(
            atPath: folder.path("journal.lock")
        )
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        extendLifetime(lock)
    }

    @Test func lockOfThisProcessIsNamedUntilItIsReleased() throws {
        do {
            let lock = try JournalLock(folder: folder.path)
            let error = refusal()
            #expect(error?.code == .locked)
            #expect(error?.message.contains("another TransferJournal of this process") == true)
            #expect(error?.message.contains("“\(folder.path)”") == true)
            #expect(error?.processIdentifier == ProcessInfo.processInfo.processIdentifier)
            extendLifetime(lock)
        }
        _ = try JournalLock(folder: folder.path)
    }

    @Test func otherProcessIsNamedByItsNumber() throws {
        let lock = try JournalLock(folder: folder.path)
        try folder.write("1\nmore", to: "journal.lock")
        let error = refusal()
        #expect(error?.processIdentifier == 1)
        #expect(error?.message.contains("is open in process 1") == true)
        extendLifetime(lock)
    }

    @Test(arguments: ["", "no number\n", "99999999999999\n", " 1\n"])
    func unreadableLockNamesNoProcess(text: String) throws {
        let lock = try JournalLock(folder: folder.path)
        try folder.write(text, to: "journal.lock")
        let error = refusal()
        #expect(error?.code == .locked && error?.processIdentifier == nil)
        #expect(error?.message.contains("is open in another process. Only one") == true)
        // The refused attempt changes nothing in the file.
        #expect(try folder.read("journal.lock") == Array(text.utf8))
        extendLifetime(lock)
    }
}
