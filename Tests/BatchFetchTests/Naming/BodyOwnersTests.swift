import Foundation
import Posix
import TestSupport
import Testing

@testable import BatchFetch

/// The registry by which a resumed run recognises its own files.
@Suite struct BodyOwnersTests {
    private static let url = "http://a/1"

    let folder: TemporaryDirectory
    let path: String

    init() throws {
        folder = try TemporaryDirectory()
        path = folder.path("owners")
    }

    private func owners(isNew: Bool = false, done: [Int] = []) throws -> BodyOwners {
        var set = OrdinalSet()
        for ordinal in done { _ = set.insert(ordinal) }
        return try BodyOwners(path: path, isNew: isNew, done: set)
    }

    private func claim(_ owners: BodyOwners, ordinal: Int, isNumbered: Bool) -> BodyClaim {
        BodyClaim(claims: owners, ordinal: ordinal, url: Self.url, isNumbered: isNumbered)
    }

    private func setTime(_ name: String, _ seconds: Double) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: seconds)],
            ofItemAtPath: folder.path(name)
        )
    }

    @Test func renamedFileIsOwnAndItsCopyIsNot() throws {
        let part = try folder.write("body", to: "part")
        try owners().claim(part, for: 3, url: Self.url)
        try FileManager.default.moveItem(atPath: part, toPath: folder.path("body"))
        try folder.write("body", to: "copy")
        let later = try owners()
        #expect(later.isOwn(folder.path("body"), ordinal: 3))
        #expect(!later.isOwn(folder.path("body"), ordinal: 4))
        #expect(!later.isOwn(folder.path("copy"), ordinal: 3))
        #expect(!later.isOwn(part, ordinal: 3))
        #expect(later.mayHave(3) && !later.mayHave(4))
    }

    @Test func fileThatWasChangedSinceIsNotOwn() throws {
        let body = try folder.write("body", to: "body")
        try setTime("body", 1_000_000_000)
        try owners().claim(body, for: 3, url: Self.url)
        #expect(try owners().isOwn(body, ordinal: 3))
        try folder.write("edited", to: "body")
        try setTime("body", 1_000_000_001)
        let later = try owners()
        #expect(!later.isOwn(body, ordinal: 3))
        #expect(!later.belongsToAnotherURL(body, url: "http://a/2"))
    }

    /// They concern only files of earlier runs, because this run knows its own.
    @Test func claimsOfTheSameRunDoNotCount() throws {
        let body = try folder.write("body", to: "body")
        let owners = try owners()
        try owners.claim(body, for: 3, url: Self.url)
        #expect(!owners.isOwn(body, ordinal: 3) && !owners.mayHave(3))
        #expect(!owners.belongsToAnotherURL(body, url: "http://a/2"))
    }

    @Test func folderIsNotClaimed() throws {
        try owners().claim(folder.path, for: 3, url: Self.url)
        try owners().claim(folder.path("missing"), for: 3, url: Self.url)
        #expect(try folder.read("owners").isEmpty)
    }

    @Test func tornLastLineIsCutOff() throws {
        let body = try folder.write("body", to: "body")
        try owners().claim(body, for: 3, url: Self.url)
        let whole = try folder.read("owners")
        try folder.write(whole + whole.dropLast(), to: "owners")
        let other = try folder.write("other", to: "other")
        let resumed = try owners()
        #expect(resumed.isOwn(body, ordinal: 3))
        try resumed.claim(other, for: 4, url: "http://a/2")
        let lines = try folder.read("owners").split(separator: 0x0A)
        #expect(lines.count == 2 && Array(lines[0]) + [0x0A] == whole)
        #expect(lines[1].starts(with: Array("4 ".utf8)))
        #expect(try owners().isOwn(other, ordinal: 4))
    }

    @Test func damagedLinesAreIgnored() throws {
        let body = try folder.write("body", to: "body")
        try folder.write(
            "\n\nx y z\n5\n6 \n7 8\n-\n \n\u{0} 1\n99999999999999999999 1 2 3 4\n",
            to: "owners"
        )
        let damaged = try owners()
        #expect(![5, 6, 7].contains { damaged.isOwn(body, ordinal: $0) })
        #expect(!damaged.belongsToAnotherURL(body, url: Self.url))
        try damaged.claim(body, for: 8, url: Self.url)
        #expect(try owners().isOwn(body, ordinal: 8))
    }

    @Test func claimOfACompletedURLIsDropped() throws {
        let body = try folder.write("body", to: "body")
        let first = try owners()
        for ordinal in 1...2 { try first.claim(body, for: ordinal, url: Self.url) }
        let later = try owners(done: [1])
        #expect(!later.isOwn(body, ordinal: 1) && later.isOwn(body, ordinal: 2))
    }

    /// Only the file that the earlier run wrote for the URL is removed, under whatever number.
    @Test func numberedClaimRemovesItsOwnFileOnly() throws {
        for name in ["x.txt", "x-1.txt", "x-2.txt", "x-3.txt", "x-5.txt"] {
            try folder.write(name, to: name)
        }
        let first = try owners()
        for name in ["x-2.txt", "x-5.txt"] {
            try first.claim(folder.path(name), for: 3, url: Self.url)
        }
        try first.claim(folder.path("x-1.txt"), for: 4, url: "http://a/2")
        let part = try folder.write("new", to: "part")
        try claim(try owners(), ordinal: 3, isNumbered: true).take(folder.path("x.txt"), from: part)
        // The numbers have no gaps, so the last one isn't looked at.
        #expect(
            try folder.contents() == [
                "owners", "part", "x-1.txt", "x-3.txt", "x-5.txt", "x.txt",
            ]
        )
        // The new file is claimed before it is renamed.
        #expect(try owners().isOwn(part, ordinal: 3))
    }

    @Test func claimWithoutNumbersLooksAtOneFile() throws {
        for name in ["x", "x-1"] { try folder.write(name, to: name) }
        let first = try owners()
        for name in ["x", "x-1"] { try first.claim(folder.path(name), for: 3, url: Self.url) }
        let part = try folder.write("new", to: "part")
        try claim(try owners(), ordinal: 3, isNumbered: false).take(folder.path("x"), from: part)
        #expect(try folder.contents() == ["owners", "part", "x-1"])
    }

    @Test func claimForANewURLRemovesNothing() throws {
        let other = try folder.write("other", to: "x")
        try owners().claim(other, for: 3, url: Self.url)
        let part = try folder.write("new", to: "part")
        let claim = claim(try owners(), ordinal: 4, isNumbered: true)
        try claim.take(other, from: part)
        #expect(try folder.contents() == ["owners", "part", "x"])
        #expect(!claim.belongsToAnotherURL(other))
        let foreign = BodyClaim(
            claims: try owners(),
            ordinal: 4,
            url: "http://a/2",
            isNumbered: false
        )
        #expect(foreign.belongsToAnotherURL(other))
    }
}
