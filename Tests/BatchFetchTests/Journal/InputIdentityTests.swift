import Foundation
import TestSupport
import Testing

@testable import BatchFetch

private let middle = String(repeating: "x", count: 200_000)

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

    @discardableResult
    private func write(_ text: String, at seconds: Double = 1_000_000) throws -> String {
        let path = try folder.write(text, to: "list")
        try setTime(seconds, of: path)
        return path
    }

    /// Why a run with the second list can't resume a run with the first; `nil` if it can.
    private func change(
        from first: String,
        to second: String,
        at seconds: Double = 1_000_001
    ) throws -> String? {
        let path = try write(first)
        let earlier = try resumable(try InputIdentity(of: [path]), nil)
        try write(second, at: seconds)
        return try reason(try InputIdentity(of: [path]), earlier)
    }

    private func resumable(
        _ identity: InputIdentity,
        _ earlier: InputIdentity?
    ) throws -> InputIdentity {
        guard case .resumable(let identity) = try identity.resuming(earlier) else {
            throw Failed("the list can't be resumed")
        }
        return identity
    }

    private func reason(_ identity: InputIdentity, _ earlier: InputIdentity) throws -> String? {
        if case .changed(let reason) = try identity.resuming(earlier) { return reason }
        return nil
    }

    private struct Failed: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    @Test("A list with another time and the same content is the same")
    func copiedListIsTheSame() throws {
        #expect(try change(from: "http://a/\n", to: "http://a/\n") == nil)
        let long = String(repeating: "http://a/\n", count: 60_000)
        #expect(try change(from: long, to: long) == nil)
        #expect(try change(from: "", to: "") == nil)
    }

    @Test(
        "A list with new lines at its end can be resumed",
        arguments: [
            ("http://a/\n", "http://a/\nhttp://b/"), ("http://a/", "http://a/\nhttp://b/\n"),
            ("", "http://a/\n"), ("http://a/\n", "http://a/\n\n"),
        ]
    )
    func grownListIsTheSame(first: String, second: String) throws {
        #expect(try change(from: first, to: second) == nil)
        // The size alone shows the new lines.
        #expect(try change(from: first, to: second, at: 1_000_000) == nil)
    }

    @Test("A shorter list is refused with both sizes")
    func shorterListIsRefused() throws {
        let change = try change(from: "http://ab/\n", to: "http://a/\n")
        #expect(change?.contains("had 11 bytes when it was started, and now has 10") == true)
    }

    @Test("A list whose last line has become longer is refused")
    func longerLastLineIsRefused() throws {
        let change = try change(from: "http://a/1", to: "http://a/10\n")
        #expect(change?.hasPrefix("the last line of “") == true)
    }

    @Test("New lines that may be options of the last entry are refused")
    func newOptionsAreRefused() throws {
        let change = try change(from: "http://a/\n", to: "http://a/\n  out=b\n")
        #expect(change?.contains("begin with white space") == true)
    }

    @Test("A compressed list that has grown is refused")
    func grownCompressedListIsRefused() throws {
        let path = folder.path("list")
        let bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0x0A]
        _ = try folder.write(bytes, to: "list")
        let earlier = try resumable(try InputIdentity(of: [path]), nil)
        _ = try folder.write(bytes + bytes, to: "list")
        let change = try reason(try InputIdentity(of: [path]), earlier)
        #expect(change?.contains("compressed list") == true)
    }

    @Test(
        "Another content is refused, whatever the size, and wherever it differs",
        arguments: [
            ("http://a/\n", "http://b/\n"), ("http://a/\n", "http://b/\nhttp://c/\n"),
            (middle + "a" + middle, middle + "b" + middle),
            (middle + "a" + middle + "\n", middle + "b" + middle + "\nmore\n"),
            (middle + middle + "a", middle + middle + "b"),
        ]
    )
    func otherContentIsRefused(first: String, second: String) throws {
        let change = try change(from: first, to: second)
        #expect(change?.hasPrefix("the content of “") == true)
        #expect(change?.hasSuffix("has changed since it was started") == true)
    }

    @Test("New lines are refused in a list that another list or a URL follows")
    func growthBeforeAnotherListIsRefused() throws {
        let one = try folder.write("http://a/\n", to: "one")
        let two = try folder.write("http://b/\n", to: "two")
        let before = try resumable(try InputIdentity(of: [one, two]), nil)
        let beforeURL = try resumable(try InputIdentity(of: [one, "http://c/"]), nil)
        try folder.write("http://a/\nhttp://d/\n", to: "one")
        for (lists, earlier) in [([one, two], before), ([one, "http://c/"], beforeURL)] {
            let change = try reason(try InputIdentity(of: lists), earlier)
            #expect(change?.hasPrefix("“\(one)” has new lines") == true, "\(change ?? "")")
        }
        try folder.write("http://a/\n", to: "one")
        try folder.write("http://b/\nhttp://d/\n", to: "two")
        let after = try resumable(try InputIdentity(of: [one, two]), before)
        #expect(after.lists[0].checksum == before.lists[0].checksum)
        #expect(after.lists[1].checksum != before.lists[1].checksum)
        #expect(after.lists[1].size == 20)
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
        let failure = #expect(throws: BatchFailure.self) { try InputIdentity(of: ["/dev/null"]) }
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
