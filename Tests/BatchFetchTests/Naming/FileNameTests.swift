import Posix
import Testing

@testable import BatchFetch

/// Names from lists and templates: their fallbacks, lengths and folders.
@Suite struct FileNameTests {
    private static let url = "https://example.org/a"
    private static let hash = StableHash.digits(url.utf8)

    private func name(_ text: String) -> FileName { FileName(text, url: Self.url) }

    private func job(_ url: String = url, ordinal: Int = 17, tag: String? = nil) throws -> FetchJob
    {
        var request = BatchRequest(url: url)
        request.tag = tag
        return FetchJob(
            target: try FetchTarget(request),
            line: 4,
            ordinal: ordinal,
            waitingSince: .now
        )
    }

    private func naming(_ template: String, fanout: Int = 0) throws -> FileNaming {
        FileNaming(template: try NameTemplate(template), fanout: fanout)
    }

    @Test(arguments: ["", "/", "//", "{tag}"])
    func nameWithoutTextIsTheHashOfItsURL(text: String) throws {
        if text.hasPrefix("{") {
            let name = try naming(text).name(for: try job(), contentType: nil)
            #expect(name.path == "~\(Self.hash)")
        } else {
            #expect(name(text).path == "~\(Self.hash)")
        }
    }

    /// Another URL's file may be at any of its folders.
    @Test func fallbackOfAGivenNameHasNoFolders() {
        var name = name("a/b/c.txt")
        #expect(name.fallback == "~\(Self.hash)")
        name.prepend("1f/")
        name.prepend("0e/")
        #expect(name.path == "0e/1f/a/b/c.txt")
        #expect(name.fallback == "0e/1f/~\(Self.hash)")
    }

    @Test func fallbackOfAURLsNameStaysInItsHost() throws {
        let target = try FetchTarget("https://example.org/a/photo.jpg")
        var name = FileName(SafeName(target))
        let digits = StableHash.digits("https://example.org/a/photo.jpg".utf8)
        #expect(name.fallback == "example.org/photo~\(digits).jpg")
        name.prepend("1f/")
        #expect(name.fallback == "1f/example.org/photo~\(digits).jpg")
    }

    @Test func longestNameStaysUnchanged() {
        let longest = String(repeating: "x", count: 236) + ".txt"
        #expect(name("d/\(longest)").path == "d/\(longest)")
        let longer = name("x" + longest).path
        #expect(longer == String(repeating: "x", count: 210) + "~\(Self.hash).txt")
    }

    /// The cut is between characters, and a long extension isn't one.
    @Test(arguments: ["é", "€", "😀"])
    func longNameIsCutBetweenCharacters(character: String) throws {
        let text = "-" + String(repeating: character, count: 100)
        let whole = String(repeating: text, count: 240 / text.utf8.count + 1) + ".withoutEnding"
        let path = name(whole).path
        #expect(path.utf8.count <= 240 && path.utf8.count > 220)
        #expect(path.hasSuffix("~\(Self.hash)"))
        let stem = path.dropLast(Self.hash.count + 1)
        #expect(whole.hasPrefix(stem))
    }

    @Test func tooManyFoldersBecomeOne() {
        let most = String(repeating: "abcdefg/", count: 128)
        #expect(name(most + "f").path == most + "f")
        #expect(name(most + "a/f").path == "~\(Self.hash)/f")
    }

    @Test(arguments: [
        ("a/b.tar.gz", 3, "a/b.tar-3.gz"), ("b", 1, "b-1"), ("a.b/c", 12, "a.b/c-12"),
        ("a/é.txt", 1, "a/é-1.txt"), ("x.", 1, "x-1."), ("a/b.txt", -1, "a/b.txt"),
    ])
    func numberIsInTheFileNotInItsFolder(path: String, number: Int, expected: String) {
        #expect(FileName.numbered(path, number) == expected)
    }

    @Test(arguments: [
        ("{ordinal:20}", "00000000000000000017"), ("{host[0:7]}", "example"),
        ("{host[:3]}", "exa"), ("{host[8:]}", "org"), ("{host[3:4]}{host[20:30]}x", "mx"),
        ("{host[:]}", "example.org"), ("{{}}", "{}"), ("{{host}}", "{host}"),
        ("{port}{scheme}", "443https"), ("a}}b{{c", "a}b{c"),
    ])
    func rangesWidthsAndBracesExpand(template: String, expected: String) throws {
        #expect(try naming(template).name(for: try job(), contentType: nil).path == expected)
    }

    @Test(arguments: [
        "{ordinal:0}", "{ordinal:21}", "{ordinal:}", "{host[2:2]}", "{host[-1:2]}", "{host[1]}",
        "{host[1:2}", "{host[1:2:3]}", "{host 1}", "{host[0:99999999999999999999]}",
        "{ordinal:8[1:2]}", "{ordinal:+5}", "{host[+1:2]}",
    ])
    func malformedRangeOrWidthIsQuoted(template: String) {
        let failure = #expect(throws: BatchFailure.self) { try NameTemplate("a" + template) }
        #expect(
            failure?.message == "the template “a\(template)” has \(template): only [from:to] or "
                + ":digits may follow a field's name"
        )
    }

    @Test(arguments: ["{}", "{ host}", "{Host}", "{[0:1]}", "{:3}"])
    func unknownFieldNamesTheKnownOnes(template: String) {
        let failure = #expect(throws: BatchFailure.self) { try NameTemplate(template) }
        #expect(
            failure?.message == "the template “\(template)” has the unknown field \(template): the "
                + "known ones are scheme, host, port, path, file, stem, ext, ordinal, line, tag, "
                + "sha256"
        )
    }

    @Test(arguments: [
        ("{stem}", "https://h/a", true), ("x.{ext}", "https://h/a.png", true),
        ("x.{ext}", "https://h/a", false), ("x.{ext[0:1]}", "https://h/", false),
    ])
    func nameWithoutAnExtensionInItsURLIsKnownLate(
        template: String,
        url: String,
        isKnown: Bool
    ) throws {
        let naming = try naming(template)
        #expect(naming.isKnownEarly(for: try job(url)) == isKnown)
        // A name that the list gives needs no response.
        var request = BatchRequest(url: url)
        request.name = "given"
        let given = FetchJob(target: try FetchTarget(request), line: 1, waitingSince: .now)
        #expect(naming.isKnownEarly(for: given))
        #expect(naming.mayCollide(for: given) && FileNaming().mayCollide(for: given))
        #expect(FileNaming().isKnownEarly(for: try job(url)))
    }

    @Test(arguments: [(-1, 0), (0, 0), (4, 4), (5, 4), (.max, 4)])
    func fanoutIsClamped(given: Int, levels: Int) throws {
        let naming = try naming("x", fanout: given)
        #expect(naming.fanout == levels)
        let path = naming.name(for: try job(), contentType: nil).path
        #expect(path.split(separator: "/").count == levels + 1)
        #expect(
            path.hasSuffix("x")
                && path.split(separator: "/").dropLast().joined()
                    == Self.hash.prefix(2 * levels)
        )
    }

    @Test(
        arguments: [
            ("https://h/a.tar.GZ", "gz"), ("https://h/a.mp3#t=1.5", "mp3"),
            ("https://h/a.12345678", nil),
            ("https://h/a.abcdefgh", "abcdefgh"), ("https://h/a.abcdefghi", nil),
            ("https://h/a.j%20g", nil), ("https://h/a.", nil), ("https://h/a.b/", nil),
            ("https://h?x=a.png", nil), ("https://h/a.é", nil),
        ] as [(String, String?)]
    )
    func extensionOfAURLIsShortAndPlain(url: String, expected: String?) throws {
        #expect(FileExtension.ofURL(try FetchTarget(url)) == expected)
    }

    @Test(
        arguments: [
            ("TEXT/HTML", "html"), ("image/svg+xml;charset=utf-8", "svg"), ("image/png ;x", "png"),
            ("", nil), ("text", nil), ("application/octet-stream", nil),
        ] as [(String, String?)]
    )
    func extensionOfAContentTypeIgnoresCaseAndParameters(type: String, expected: String?) {
        #expect(FileExtension.ofType(type) == expected)
    }
}
