import HTTPTypes
import TestSupport
import Testing

@testable import BatchFetch

/// Invalid options and lists, the keys of duplicates, and the parts of a list.
@Suite struct InputOptionsTests {
    private func failure(_ input: BatchInput) -> BatchFailure? {
        #expect(throws: BatchFailure.self) { try input.validate() }
    }

    private func failure(base: String) -> BatchFailure? {
        var input = BatchInput.urls([])
        input.options.base = base
        return failure(input)
    }

    @Test(
        "An invalid base URL is reported before anything is read",
        arguments: [
            ("h.test/a", "write https://h.test/a"), ("/a", "has no scheme"), ("", "has no scheme"),
            ("ftp://h/", "has the scheme ftp: use http or https"), ("http:///a", "has no host"),
            ("http://h:0/", "has no valid port"), ("http://h/a b", "write %20"),
        ]
    )
    func invalidBaseIsReported(base: String, reason: String) {
        let found = failure(base: base)
        #expect(found?.code == .configuration)
        #expect(found?.message.hasPrefix("the base URL is invalid: ") == true)
        #expect(found?.message.contains(reason) == true, "\(found?.message ?? "")")
    }

    @Test("A base URL with credentials is rejected, and the message doesn't contain them")
    func baseWithCredentialsIsRejected() {
        for base in ["https://user:secret@h/", "https://user@h/a"] {
            let found = failure(base: base)
            #expect(found?.code == .configuration)
            #expect(found?.message.contains("has a user name or password") == true)
            #expect(found?.message.contains("secret") == false)
            #expect(found?.message.contains("user@") == false)
        }
    }

    @Test("An absolute base URL is valid", arguments: ["http://h", "HTTPS://H:8443/a/b?c#d"])
    func absoluteBaseIsValid(base: String) throws {
        var input = BatchInput.urls([])
        input.options.base = base
        try input.validate()
    }

    @Test("A missing folder of bodies is reported before anything is read")
    func missingBodyFolderIsReported() {
        var input = BatchInput.urls([])
        input.options.bodyFolder = "/does/not/exist"
        let found = failure(input)
        #expect(found?.code == .configuration)
        #expect(found?.message.contains("“/does/not/exist” is not a folder") == true)
    }

    @Test("An input without lists is an error, and an empty sequence isn't")
    func missingListIsAnError() throws {
        let found = failure(.lists([]))
        #expect(found?.code == .input)
        #expect(found?.message == "no list is given: name a file, or - for standard input")
        try BatchInput.urls([]).validate()
        try BatchInput.requests([]).validate()
    }

    @Test("Standard input is read at most once, and a file any number of times")
    func standardInputIsReadOnce() throws {
        let found = failure(.lists(["-", "http://h/", "-"]))
        #expect(found?.code == .configuration)
        #expect(found?.message == "standard input can be read only once: use - once")
        let folder = try TemporaryDirectory()
        let list = try folder.write("x", to: "list")
        try BatchInput.lists([list, "-", list, "http://h/", "http://h/"]).validate()
    }

    @Test("A later list that can't be read is reported before the first is read")
    func laterListIsChecked() throws {
        let folder = try TemporaryDirectory()
        let list = try folder.write("x", to: "list")
        for missing in [folder.path("none"), folder.path, list + "/none"] {
            for names in [[list, missing], ["-", list, missing], ["http://h/", missing]] {
                let found = failure(.lists(names))
                #expect(found?.code == .input)
                #expect(found?.message.contains("“\(missing)”") == true, "\(missing)")
            }
        }
    }

    @Test("The names of an input's lists can be used as its arguments again")
    func listNamesCanBePassedAgain() {
        let names = ["a", "-", "HTTP://h/", "./-", "dir/a b"]
        #expect(BatchInput.lists(names).listNames == names)
        #expect(BatchInput.standardInput.listNames == ["-"])
        #expect(BatchInput.urls(["a"]).listNames.isEmpty)
    }

    @Test("A shard is parsed from its number, from 0, and the number of shards")
    func partHasItsNumber() throws {
        for (text, index, count) in [("0/1", 0, 1), ("7/8", 7, 8), ("00/03", 0, 3)] {
            let shard = try #require(InputShard(text) as InputShard?)
            #expect(shard.index == index && shard.count == count)
            #expect(shard == InputShard(index: index, count: count))
        }
        for text in ["8/8", "0/-1", " 0/1", "0/1 ", "0 / 1", "/", "0/", "/1", "0/1/", "1.0/2"] {
            #expect((InputShard(text) as InputShard?) == nil, "\(text)")
        }
    }

    // MARK: Duplicates

    private func key(
        _ url: String,
        _ deduplication: Deduplication = .exact,
        _ change: (inout BatchRequest) -> Void = { _ in }
    ) throws -> [[UInt8]] {
        var request = BatchRequest(url: url)
        change(&request)
        return deduplication.key(of: try FetchTarget(request))
    }

    @Test("Two requests are duplicates if method, URL, fields and body are equal")
    func onlyTheRequestMakesADifference() throws {
        let plain = try key("http://h/")
        let described = try key("http://h/") {
            $0.tag = "t"
            $0.name = "n"
            $0.priority = 1
            $0.timeout = .seconds(1)
        }
        #expect(described == plain)
        let keys = try [
            plain, key("http://h/") { $0.method = .head }, key("http://h/") { $0.method = .delete },
            key("http://h/") { $0.body = .bytes([]) }, key("http://h/") { $0.body = .bytes([97]) },
            key("http://h/") { $0.body = .file(path: "a") },
            key("http://h/") { $0.body = .file(path: "b") },
            key("http://h/") { $0.headerFields[.accept] = "a" },
            key("http://h/") { $0.headerFields[.accept] = "b" },
            key("http://h/") { $0.headerFields[.range] = "a" },
            // Not to be confused with the file, the field and the method above.
            key("http://h/") { $0.body = .bytes(Array("file a".utf8)) },
            key("http://h/") { $0.body = .bytes(Array("fa".utf8)) },
            key("http://h/") { $0.body = .bytes(Array("accept: a".utf8)) },
            key("http://h/") { $0.body = .bytes(Array("HEAD".utf8)) },
        ]
        #expect(Set(keys).count == keys.count)
    }

    @Test("To find duplicates, field names are compared without case, and values exactly")
    func caseOfANameMakesNoDifference() throws {
        func field(_ name: String, _ value: String) throws -> [[UInt8]] {
            let name = try #require(HTTPField.Name(name))
            return try key("http://h/") { $0.headerFields[name] = value }
        }
        #expect(try field("X-One", "a") == field("x-oNE", "a"))
        #expect(try field("X-One", "a") != field("X-One", "A"))
    }

    @Test("URLs are normalised to find duplicates, and bodies aren't")
    func normalisationAppliesToTheURLOnly() throws {
        let change: (inout BatchRequest) -> Void = { $0.body = .bytes(Array("%7E".utf8)) }
        let one = "HTTP://H:80/%7ea", other = "http://h/~a"
        #expect(try key(one, .normalised, change) == key(other, .normalised, change))
        #expect(try key(one, .exact, change) != key(other, .exact, change))
        let tilde = try key(other, .normalised) { $0.body = .bytes(Array("~".utf8)) }
        #expect(try key(other, .normalised, change) != tilde)
    }
}
