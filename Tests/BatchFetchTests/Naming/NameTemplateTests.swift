import HTTPSemantics
import Posix
import Testing

@testable import BatchFetch

@Suite struct NameTemplateTests {
    private func job(_ url: String, tag: String? = nil, name: String? = nil) throws -> FetchJob {
        var request = BatchRequest(url: url)
        request.tag = tag
        request.name = name
        return FetchJob(
            target: try FetchTarget(request),
            line: 4,
            ordinal: 17,
            waitingSince: .now
        )
    }

    private func name(
        _ template: String?,
        _ job: FetchJob,
        fanout: Int = 0,
        contentType: String? = nil
    ) throws -> String {
        let naming = FileNaming(template: try template.map { try NameTemplate($0) }, fanout: fanout)
        return naming.name(for: job, contentType: contentType).path
    }

    @Test(arguments: [
        ("{host}/{path}", "example.org/a/photo.jpg"), ("{scheme}-{port}", "https-443"),
        ("{ordinal}", "17"), ("{ordinal:5}-{line}", "00017-4"), ("{file}", "photo.jpg"),
        ("{stem}.{ext}", "photo.jpg"), ("{tag}", "x_y"), ("{tag[1:]}!", "_y!"),
        ("{sha256[0:2]}/{sha256[2:4]}/{ordinal}", "5a/84/17"), ("{{{ordinal}}}", "{17}"),
        ("a//b/./../{tag[0:1]}", "a/b/_/_./x"), ("/etc/{ordinal}", "etc/17"), ("x\u{1}y", "x_y"),
    ])
    func templatesExpandToNames(template: String, expected: String) throws {
        let job = try job("https://example.org/a/photo.jpg", tag: "x/y")
        if template.hasPrefix("{sha256") {
            let digest = MessageDigest.of(Array("https://example.org/a/photo.jpg".utf8), .sha256)
            let text = Hexadecimal.text(digest)
            #expect(
                try name(template, job)
                    == "\(text.prefix(2))/\(text.dropFirst(2).prefix(2))/17"
            )
        } else {
            #expect(try name(template, job) == expected)
        }
    }

    @Test(arguments: [
        ("", "is empty"), ("{host", "has a { without a }"), ("a}", "has a } without a {"),
        ("{hots}", "has the unknown field {hots}: the known ones are scheme, host"),
        ("{host[2:1]}", "only [from:to] or :digits"), ("{host[a:b]}", "only [from:to] or :digits"),
        ("{host:x}", "only [from:to] or :digits"), ("a\0b", "contains a NUL"),
    ])
    func malformedTemplateIsRejected(text: String, reason: String) {
        let failure = #expect(throws: BatchFailure.self) { try NameTemplate(text) }
        #expect(failure?.code == .configuration)
        #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
    }

    @Test(arguments: [
        "../../etc/passwd", "/absolute", "a/../../b", ".hidden", "..", ".", "/", "a\u{0}b",
        "a\\..\\b",
        String(repeating: "é", count: 500) + ".jpeg", String(repeating: "d/", count: 3000) + "f",
    ])
    func listedNameStaysInsideTheFolderAndFits(text: String) throws {
        let name = try name(nil, try job("https://example.org/", name: text))
        let components = name.split(separator: "/", omittingEmptySubsequences: false)
        #expect(name.utf8.count < 2000)
        for component in components {
            #expect(!component.isEmpty && component.utf8.count <= 255)
            #expect(component.first != "." && !component.utf8.contains(0))
        }
        if text.hasSuffix(".jpeg") { #expect(name.hasSuffix(".jpeg")) }
    }

    @Test func listedNameOverridesTheTemplate() throws {
        #expect(try name("{ordinal}", try job("http://a/", name: "b/c d")) == "b/c d")
    }

    @Test func fanoutAddsFoldersAboveTheName() throws {
        let job = try job("https://example.org/a")
        let digits = StableHash.digits("https://example.org/a".utf8)
        let folders = "\(digits.prefix(2))/\(digits.dropFirst(2).prefix(2))"
        #expect(try name(nil, job, fanout: 2) == "\(folders)/example.org/a")
    }

    @Test(
        arguments: [
            ("https://a/x.JPG?y.png", nil, "jpg"), ("https://a/x", "text/html; charset=x", "html"),
            ("https://a/x", "strange/type", "bin"), ("https://a/x", nil, "bin"),
            ("https://a/v1.0", "image/png", "png"), ("https://a.com", "image/png", "png"),
            ("https://a/x.toolongending", nil, "bin"), ("https://a/.profile", nil, "bin"),
            ("https://a/b.c/", "text/html", "html"),
        ] as [(String, String?, String)]
    )
    func extensionComesFromTheURLOrTheContentType(url: String, type: String?, ending: String) throws
    {
        #expect(try name("x.{ext}", try job(url), contentType: type) == "x.\(ending)")
    }

    @Test func numberPrecedesTheExtension() {
        #expect(FileName.numbered("a/b.txt", 0) == "a/b.txt")
        #expect(FileName.numbered("a/b.txt", 2) == "a/b-2.txt")
        #expect(FileName.numbered("a.d/b", 2) == "a.d/b-2")
        #expect(FileName.numbered("a/.b", 1) == "a/.b-1")
    }
}
