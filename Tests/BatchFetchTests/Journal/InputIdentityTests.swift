import Foundation
import TestSupport
import Testing

@testable import BatchFetch

/// Recognises whether the lists of a run are those that its journal was started with.
@Suite struct InputIdentityTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func setTime(_ seconds: Double, of path: String) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: seconds)],
            ofItemAtPath: path
        )
    }

    private func write(_ text: String) throws -> String {
        let path = try folder.write(text, to: "list")
        try setTime(1_000_000, of: path)
        return path
    }

    private func change(from first: String, to second: String) throws -> String? {
        let before = try InputIdentity(of: try write(first))
        return before.change(to: try InputIdentity(of: try write(second)))
    }

    @Test func unchangedListIsTheSame() throws {
        #expect(try change(from: "http://a/\n", to: "http://a/\n") == nil)
    }

    @Test func otherSizeIsNamed() throws {
        let change = try change(from: "http://a/\n", to: "http://ab/\n")
        #expect(change == "the list had 10 bytes when it was started, and now has 11")
    }

    @Test func otherContentOfTheSameSizeIsNoticed() throws {
        let change = try change(from: "http://a/\n", to: "http://b/\n")
        #expect(change?.contains("content has changed") == true)
    }

    /// Only the beginning and the end are read, so the time has to reveal such a change.
    @Test func changeInTheMiddleOfALongListIsNoticedByItsTime() throws {
        let middle = String(repeating: "x", count: 70_000)
        let path = try write(middle + "a" + middle)
        let before = try InputIdentity(of: path)
        try folder.write(middle + "b" + middle, to: "list")
        try setTime(1_000_001, of: path)
        let change = before.change(to: try InputIdentity(of: path))
        #expect(change == "the list was modified since it was started")
    }

    @Test func changeAtTheEndOfALongListIsNoticed() throws {
        let rest = String(repeating: "x", count: 200_000)
        #expect(try change(from: rest + "a", to: rest + "b")?.contains("content") == true)
    }

    @Test func orderOfSeveralListsMatters() throws {
        let one = try folder.write("http://a/\n", to: "one")
        let two = try folder.write("http://b/\n", to: "two")
        let both = try InputIdentity(of: [one, two])
        #expect(both.change(to: try InputIdentity(of: [one, two])) == nil)
        #expect(both.change(to: try InputIdentity(of: [two, one]))?.contains(two) == true)
        #expect(both.size == 20)
    }

    @Test func urlArgumentNeedsNoFile() throws {
        let identity = try InputIdentity(of: ["http://a.example/"])
        #expect(identity.size == 0)
        let change = identity.change(to: try InputIdentity(of: ["http://b.example/"]))
        #expect(change?.contains("http://a.example/") == true)
    }

    @Test("A URL is identified without its secrets, and its query counts as a hash")
    func urlArgumentHasNoSecrets() throws {
        func identity(_ url: String) throws -> InputIdentity { try InputIdentity(of: [url]) }
        let first = try identity("http://user:s3cret@h/a?token=s3cret")
        #expect(first.path == "http://…@h/a?token=…")
        let changed = first.change(to: try identity("http://user:s3cret@h/a?token=other"))
        #expect(changed == "the URL has changed since it was started")
        let other = try identity("http://user:other@h/a?token=s3cret")
        #expect(first.change(to: other) == nil, "a new password is no new list")
        #expect(try !identity("http://user:s3cret word@h/").path.contains("s3cret"))
    }

    @Test func deviceIsRefusedWithAdvice() throws {
        let failure = #expect(throws: BatchFailure.self) { try InputIdentity(of: "/dev/null") }
        #expect(failure?.code == .input)
        let message = failure?.message ?? ""
        #expect(message.contains("“/dev/null” is not a regular file"))
        #expect(message.contains("--spool"))
    }

    @Test func patternExpansionIsNamedInItsDirection() {
        var options = BatchInput.Options()
        let plain = InputFingerprint(of: ["list"], options)
        options.expandsPatterns = true
        let expanded = InputFingerprint(of: ["list"], options)
        #expect(
            plain.change(to: expanded) == "patterns in URLs weren't expanded when it was started"
        )
        #expect(expanded.change(to: plain) == "patterns in URLs were expanded when it was started")
    }
}
