import HTTPTypes
import Testing

@testable import BatchFetch

/// Turns entries of aria2 into requests.
@Suite struct AriaEntryTests {
    private func request(
        _ options: [String],
        urls: [String] = ["http://a.example/x/y%20z.iso?q#f"]
    ) throws -> (request: BatchRequest, ignored: [String]) {
        let entry = AriaEntry(urls: urls, options: options.map { AriaEntry.Option($0) })
        var ignored: [String] = []
        let request = try entry.request(ignored: &ignored)
        return (request, ignored)
    }

    @Test("Options become the request's name, fields and checksums")
    func optionsAreUsed() throws {
        let md5 = String(repeating: "0a", count: 16)
        let (request, ignored) = try request([
            "out=one.iso", "dir=/srv/images/", "header=X-One: 1", "header=X-Two:2:3",
            "referer=http://r.example/", "user-agent=me/1", "checksum=MD5=\(md5)",
        ])
        #expect(request.name == "srv/images/one.iso")
        #expect(
            request.headerFields.map(\.name.rawName) == ["X-One", "X-Two", "Referer", "User-Agent"]
        )
        #expect(request.headerFields.map(\.value) == ["1", "2:3", "http://r.example/", "me/1"])
        #expect(request.digests.map(\.algorithm) == [.md5])
        #expect(ignored.isEmpty)
    }

    @Test(
        "A folder without a name uses the URL's file name",
        arguments: [
            ("http://a/x/y.iso?q=/z", "d/y.iso"), ("http://a/x/", "d/index.html"),
            ("http://a", "d/index.html"),
        ]
    )
    func folderUsesTheURLsName(url: String, name: String) throws {
        #expect(try request(["dir=d"], urls: [url]).request.name == name)
        #expect(try request([], urls: [url]).request.name == nil)
    }

    @Test(
        "The referer * is the URL itself, without user, password and fragment",
        arguments: [
            ("http://a/", "http://a/"), ("http://u:s3cret@a/b@c?d#e", "http://a/b@c?d"),
            ("http://u@v@a?b@c", "http://a?b@c"),
        ]
    )
    func refererMayBeTheURL(url: String, referer: String) throws {
        let request = try request(["referer=*"], urls: [url]).request
        #expect(request.headerFields[.referer] == referer)
    }

    @Test("Other options and schemes are returned by name")
    func otherOptionsAreReturned() throws {
        let urls = ["ftp://a/", "http://b/", "magnet://x", "HTTPS://c/"]
        let (request, ignored) = try request(["split=5", "continue=true"], urls: urls)
        #expect(request.url == "http://b/" && request.mirrors == ["HTTPS://c/"])
        #expect(
            ignored == [
                "URLs with the scheme ftp", "URLs with the scheme magnet", "the option “split”",
                "the option “continue”",
            ]
        )
        // Without any other URL, the scheme is the line's error.
        #expect(try self.request([], urls: ["ftp://a/"]).request.url == "ftp://a/")
    }

    @Test(
        "A wrong value is an error that names the option",
        arguments: [
            ("out=", "“out” is empty"), ("dir=///", "“dir” is empty"),
            ("header=abc", "“header” has no colon"),
            ("header=A b: c", "“header” can't be sent"),
            ("checksum=abc", "“checksum” is “abc”: write md5"),
            ("checksum=sha-384=00", "“checksum” is “sha-384=00”"),
            ("checksum=sha-1=00", "“checksum” needs 40 hexadecimal digits"),
        ]
    )
    func wrongValueIsNamed(option: String, message: String) {
        let failure = #expect(throws: BatchFailure.self) { try request([option]) }
        #expect(failure?.code == .invalidLine)
        #expect(failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "")")
    }

    @Test("An option without = is reported without what follows its name")
    func malformedOptionIsNotRepeated() throws {
        let lines = ["header: Cookie: a", "Cookie", "“x”"]
        #expect(
            try request(lines).ignored == [
                "the option “header…”", "the option “Cookie”", "the option “…”",
            ]
        )
    }

    @Test("Each option that isn't used is reported once for a list")
    func ignoredOptionIsReportedOnce() throws {
        var reader = RecordReader(.aria2, BatchInput.Options())
        var entry = AriaEntry(urls: ["http://a/"], options: [AriaEntry.Option("split=5")])
        let record = InputRecord(line: 1, content: .entry(entry))
        _ = try reader.read(record)
        _ = try reader.read(record)
        #expect(reader.takeIgnored() == ["the option “split”"])
        entry.options = [AriaEntry.Option("split=4"), AriaEntry.Option("pause=true")]
        _ = try reader.read(InputRecord(line: 2, content: .entry(entry)))
        #expect(reader.takeIgnored() == ["the option “pause”"])
        #expect(reader.makesOneURL)
    }
}
